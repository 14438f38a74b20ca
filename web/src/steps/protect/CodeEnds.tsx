import { useState } from "preact/hooks";
import { Choices } from "../../parts/Choices";
import { Field } from "../../parts/Field";
import { NumberInput } from "../../parts/NumberInput";
import { texts } from "../../texts";
import { CategoryTable } from "../open/CategoryTable";
import { endStep, isClass, NO_END, type EndDraft } from "./ends";
import { usePreview } from "./preview";
import { PreviewPanel } from "./PreviewPanel";
import { Variables } from "./StepForm";
import { useVariables, VariableChoice } from "./VariableChoice";

const words = texts.protect.code;

/** Top and bottom coding. */
export function CodeEnds() {
  const variables = useVariables((each) => each.numeric);
  const [chosen, setChosen] = useState("");
  const [draft, setDraft] = useState<EndDraft>(NO_END);
  const put = (part: Partial<EndDraft>) => setDraft({ ...draft, ...part });
  const variable = variables.some((each) => each.name === chosen) ? chosen : (variables[0]?.name ?? "");
  const step = endStep(variable, draft);
  const preview = usePreview(step);
  const clear = () => setDraft({ ...NO_END, end: draft.end, by: draft.by, becomes: draft.becomes });
  if (!variables.length) return <p class="hint">{words.none}</p>;
  return (
    <div class="editor">
      <div class="stack">
        <VariableChoice
          variables={variables}
          value={variable}
          onChange={(name) => {
            setChosen(name);
            clear();
          }}
        />
        <Choices<EndDraft["end"]>
          title={words.which}
          options={words.ends}
          value={draft.end}
          onChange={(end) => put({ end })}
        />
        <Choices<EndDraft["by"]> title={words.by} options={words.ways} value={draft.by} onChange={(by) => put({ by })} />
        {draft.by === "share" ? (
          <NumberInput
            label={words.share}
            hint={words.shareHint}
            value={draft.share}
            min={0}
            max={50}
            optional
            onChange={(share) => put({ share })}
            onEmpty={() => put({ share: null })}
          />
        ) : (
          <NumberInput
            label={words.bound}
            hint={words.boundHint}
            value={draft.bound}
            min={-Infinity}
            max={Infinity}
            optional
            onChange={(bound) => put({ bound })}
            onEmpty={() => put({ bound: null })}
          />
        )}
        <Becomes draft={draft} put={put} />
        {isClass(draft) ? <NewCode draft={draft} put={put} /> : <Tail variable={variable} draft={draft} put={put} />}
        <details>
          <summary>{texts.open.show(variable)}</summary>
          <CategoryTable name={variable} />
        </details>
      </div>
      <PreviewPanel step={step} preview={preview} onApplied={clear} />
    </div>
  );
}

interface PartProps {
  draft: EndDraft;
  put(part: Partial<EndDraft>): void;
}

/** What coded values become; a share is one of numbers, so it has no class. */
function Becomes({ draft, put }: PartProps) {
  const { class: one, ...numbers } = words.values;
  const options = draft.by === "limit" ? { class: one, ...numbers } : numbers;
  return (
    <Choices<EndDraft["becomes"]>
      title={words.replace}
      options={options as typeof words.values}
      value={draft.by === "share" && draft.becomes === "class" ? "mean" : draft.becomes}
      onChange={(becomes) => put({ becomes })}
    />
  );
}

/** The code and label of the class. */
function NewCode({ draft, put }: PartProps) {
  return (
    <div class="row">
      {(["code", "label"] as const).map((name) => (
        <Field key={name} label={words[name === "code" ? "newCode" : name]} hint={words[name === "code" ? "newCodeHint" : "labelHint"]}>
          {(wiring) => (
            <input
              {...wiring}
              type="text"
              value={draft[name]}
              onInput={(event) => put({ [name]: event.currentTarget.value })}
            />
          )}
        </Field>
      ))}
    </div>
  );
}

/** Whose tail is coded, and how small it may be. */
function Tail({ variable, draft, put }: PartProps & { variable: string }) {
  const others = useVariables((each) => each.name !== variable);
  return (
    <details>
      <summary>
        {words.strata}: {draft.strata.join(", ") || texts.protect.more.none}
      </summary>
      <Variables
        field={{ label: words.strata, help: words.strataHint, required: false, ordered: false }}
        variables={others}
        value={draft.strata}
        onChange={(names) => put({ strata: names as string[] })}
      />
      <NumberInput
        label={words.least}
        hint={words.leastHint}
        value={draft.least}
        min={2}
        max={1e6}
        whole
        optional
        onChange={(least) => put({ least })}
        onEmpty={() => put({ least: null })}
      />
    </details>
  );
}
