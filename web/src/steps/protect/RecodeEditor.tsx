import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { Recode, StepInput, VariableDetail } from "../../api";
import { Notice } from "../../parts/Notice";
import { Button } from "../../parts/Button";
import { NumberInput } from "../../parts/NumberInput";
import { Segments } from "../../parts/Segments";
import { Waiting } from "../../parts/Waiting";
import { texts } from "../../texts";
import { Bands } from "./Bands";
import { GrcFiles } from "./GrcFiles";
import { GroupTable } from "./GroupTable";
import { usePreview } from "./preview";
import { PreviewPanel } from "./PreviewPanel";
import { groupsOf, groupsStep, type Group } from "./recoding";
import { useVariables, VariableChoice } from "./VariableChoice";

const words = texts.protect.recode;

/** Fewer categories for a variable, with its effect beside it at once. */
export function RecodeEditor() {
  const variables = useVariables();
  const [chosen, setChosen] = useState("");
  const name = variables.some((each) => each.name === chosen) ? chosen : (variables[0]?.name ?? "");
  const detail = useAnswer("GET /api/variable", { name }, name !== "");
  return (
    <div class="stack">
      <VariableChoice variables={variables} value={name} onChange={setChosen} />
      <Waiting answer={detail}>{(found) => <Editor key={name} detail={found} />}</Waiting>
    </div>
  );
}

type How = keyof typeof words.ways;

const FEW = 25;

function usual(detail: VariableDetail): How {
  return detail.numeric && (detail.total > FEW || !detail.categories.length) ? "bands" : "groups";
}

function Editor({ detail }: { detail: VariableDetail }) {
  const [how, setHow] = useState<How>(() => usual(detail));
  const [breaks, setBreaks] = useState<number[] | null>(null);
  const [groups, setGroups] = useState<Group[]>([]);
  const [keep, setKeep] = useState<number | null>(null);
  const [imported, setImported] = useState<{ step: Recode; name: string; notices: readonly string[] } | null>(
    null,
  );
  const step = imported?.step ?? stepOf(detail.name, how, breaks, groups, keep);
  const preview = usePreview(step);
  const clear = () => {
    setBreaks(null);
    setGroups([]);
    setKeep(null);
    setImported(null);
  };
  useEffect(clear, [detail]);
  const take = (read: Recode, name: string, notices: readonly string[]) => {
    const editable = groupsOf(read);
    if (editable && read.missing === null) {
      setHow("groups");
      setGroups(editable);
    } else setImported({ step: read, name, notices });
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
              <Segments<How> label={words.how} options={words.ways} value={how} onChange={setHow} />
            </div>
            {how === "bands" && <Bands detail={detail} breaks={breaks} onChange={setBreaks} />}
            {how === "groups" && <GroupTable detail={detail} groups={groups} onChange={setGroups} />}
            {how === "keep" && (
              <NumberInput
                label={words.keep}
                hint={words.keepHint}
                value={keep}
                min={1}
                max={100}
                whole
                optional
                onChange={setKeep}
                onEmpty={() => setKeep(null)}
              />
            )}
          </>
        )}
        <GrcFiles variable={detail.name} step={step} onRead={take} />
      </div>
      <PreviewPanel step={step} preview={preview} onApplied={clear} />
    </div>
  );
}

function stepOf(
  variable: string,
  how: How,
  breaks: number[] | null,
  groups: readonly Group[],
  keep: number | null,
): StepInput | null {
  switch (how) {
    case "bands":
      return breaks && { do: "recode", variable, breaks };
    case "groups":
      return groupsStep(variable, groups);
    case "keep":
      return keep === null ? null : { do: "recode", variable, keep };
  }
}
