import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { Recode, VariableProfile } from "../../api";
import { Notice } from "../../parts/Notice";
import { Button } from "../../parts/Button";
import { NumberInput } from "../../parts/NumberInput";
import { Segments } from "../../parts/Segments";
import { Waiting } from "../../parts/Waiting";
import { dataKey, toRecode } from "../../state";
import { texts } from "../../texts";
import { Bands } from "./Bands";
import { GrcFiles } from "./GrcFiles";
import { GroupTable } from "./GroupTable";
import { NewCodes, Parents } from "./NewCodes";
import { usePreview } from "./preview";
import { PreviewPanel } from "./PreviewPanel";
import { groupsOf, NO_RECODE, recodeStep, type RecodeDraft } from "./recoding";
import { useVariables, VariableChoice } from "./VariableChoice";

const words = texts.protect.recode;

/** Fewer categories for a variable, with its effect beside it at once; begun anew once data change. */
export function RecodeEditor() {
  const variables = useVariables();
  const [chosen, setChosen] = useState(toRecode.value);
  const name = variables.some((each) => each.name === chosen) ? chosen : (variables[0]?.name ?? "");
  const detail = useAnswer("GET /api/variable", { name }, name !== "");
  return (
    <div class="stack">
      <VariableChoice variables={variables} value={name} onChange={setChosen} />
      <Waiting answer={detail}>{(found) => <Editor key={`${name} ${dataKey.value}`} detail={found} />}</Waiting>
    </div>
  );
}

type How = keyof typeof words.ways;

const FEW = 25;

function usual(detail: VariableProfile): How {
  return detail.numeric && (detail.distinct > FEW || !detail.categories.length) ? "bands" : "groups";
}

function Editor({ detail }: { detail: VariableProfile }) {
  const [draft, setDraft] = useState<RecodeDraft>(() => ({ ...NO_RECODE, how: usual(detail) }));
  const [imported, setImported] = useState<{ step: Recode; name: string; notices: readonly string[] } | null>(
    null,
  );
  const step = imported?.step ?? recodeStep(detail.name, draft);
  const preview = usePreview(step);
  const put = (part: Partial<RecodeDraft>) => setDraft((now) => ({ ...now, ...part }));
  const take = (read: Recode, name: string, notices: readonly string[]) => {
    const editable = groupsOf(read);
    if (editable && read.missing === null) put({ how: "groups", groups: editable });
    else setImported({ step: read, name, notices });
  };
  return (
    <div class="editor">
      <div class="stack">
        {imported ? (
          <Notice tone="info" title={words.imported(imported.name)}>
            {imported.notices.join(" ")}{" "}
            <Button small onClick={() => setImported(null)}>
              {words.drop}
            </Button>
          </Notice>
        ) : (
          <>
            <div>
              <Segments<How>
                label={words.how}
                options={words.ways}
                value={draft.how}
                onChange={(how) => put({ how })}
              />
            </div>
            {draft.how === "bands" && (
              <Bands detail={detail} breaks={draft.breaks} onChange={(breaks) => put({ breaks })} />
            )}
            {draft.how === "groups" && (
              <GroupTable detail={detail} groups={draft.groups} onChange={(groups) => put({ groups })} />
            )}
            {draft.how === "keep" && (
              <NumberInput
                label={words.keep}
                hint={words.keepHint}
                value={draft.keep}
                min={1}
                max={100}
                whole
                optional
                onChange={(keep) => put({ keep })}
                onEmpty={() => put({ keep: null })}
              />
            )}
            {draft.how === "classification" && <Parents draft={draft} put={put} />}
            <NewCodes draft={draft} put={put} missing={detail.missing_codes.length > 0} />
          </>
        )}
        <GrcFiles variable={detail.name} step={step} onRead={take} />
      </div>
      <PreviewPanel step={step} preview={preview} />
    </div>
  );
}
