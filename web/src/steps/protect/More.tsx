import { useState } from "preact/hooks";
import type { StepInput } from "../../api";
import { Notice } from "../../parts/Notice";
import { NumberInput } from "../../parts/NumberInput";
import { Segments } from "../../parts/Segments";
import { study } from "../../state";
import { texts } from "../../texts";
import { usePreview } from "./preview";
import { PreviewPanel } from "./PreviewPanel";
import { keysOf, useVariables, VariableChoice } from "./VariableChoice";
import { Scroll } from "../../parts/Scroll";

const words = texts.protect.more;

type Kind = "drop" | "renumber" | "round";

/** Steps that are quickly told: leave out, new numbers, round. */
export function More() {
  const [kind, setKind] = useState<Kind>("drop");
  const Form = { drop: DropForm, renumber: RenumberForm, round: RoundForm }[kind];
  return (
    <div class="stack">
      <div>
        <Segments<Kind>
          label={texts.protect.ways.more}
          options={{ drop: words.drop, renumber: words.renumber, round: words.round }}
          value={kind}
          onChange={setKind}
        />
      </div>
      <Form />
    </div>
  );
}

function DropForm() {
  const variables = useVariables();
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const keys = keysOf();
  const names = variables.map((each) => each.name).filter((name) => marked.has(name));
  const keysOut = names.filter((name) => keys.has(name));
  const step: StepInput | null = names.length
    ? { do: "drop", variables: names, from_keys: keysOut.length > 0 }
    : null;
  const preview = usePreview(step);
  const toggle = (name: string) =>
    setMarked(new Set(marked.has(name) ? [...marked].filter((each) => each !== name) : [...marked, name]));
  return (
    <div class="editor">
      <fieldset>
        <legend>{words.dropIntro}</legend>
        <Scroll label={words.drop} tall>
          {variables.map(({ name, label }) => (
            <label class="choice" key={name}>
              <input type="checkbox" checked={marked.has(name)} onChange={() => toggle(name)} />
              <span>
                <span>
                  <code>{name}</code> {keys.has(name) && <span class="badge">{texts.protect.isKey}</span>}
                </span>
                <span class="hint">{label}</span>
              </span>
            </label>
          ))}
        </Scroll>
        {keysOut.length > 0 && <Notice tone="warn">{words.dropKeys(keysOut.join(", "))}</Notice>}
      </fieldset>
      <PreviewPanel step={step} preview={preview} onApplied={() => setMarked(new Set())} />
    </div>
  );
}

function RenumberForm() {
  const variables = useVariables((each) => !keysOf().has(each.name) && each.kind !== "date");
  const household = study.value!.scenarios.find((each) => each.household)?.household;
  const [chosen, setChosen] = useState(household ?? "");
  const [seed, setSeed] = useState<number | null>(() => crypto.getRandomValues(new Uint32Array(1))[0]!);
  const variable = variables.some((each) => each.name === chosen) ? chosen : (variables[0]?.name ?? "");
  const step: StepInput | null = variable && seed !== null ? { do: "renumber", variable, seed } : null;
  const preview = usePreview(step);
  return (
    <div class="editor">
      <div class="stack">
        <p class="hint">{words.renumberIntro}</p>
        <VariableChoice variables={variables} value={variable} onChange={setChosen} />
        <NumberInput
          label={words.seed}
          hint={words.seedHint}
          value={seed}
          min={0}
          max={2 ** 53}
          whole
          onChange={setSeed}
        />
      </div>
      <PreviewPanel step={step} preview={preview} />
    </div>
  );
}

function RoundForm() {
  const variables = useVariables((each) => each.kind === "integer" || each.kind === "number");
  const [chosen, setChosen] = useState("");
  const [base, setBase] = useState<number | null>(null);
  const variable = variables.some((each) => each.name === chosen) ? chosen : (variables[0]?.name ?? "");
  const step: StepInput | null = variable && base !== null ? { do: "round", variable, base } : null;
  const preview = usePreview(step);
  return (
    <div class="editor">
      <div class="stack">
        <p class="hint">{words.roundIntro}</p>
        <VariableChoice variables={variables} value={variable} onChange={setChosen} />
        <NumberInput
          label={words.base}
          value={base}
          min={1e-9}
          max={Infinity}
          optional
          onChange={setBase}
          onEmpty={() => setBase(null)}
        />
      </div>
      <PreviewPanel step={step} preview={preview} onApplied={() => setBase(null)} />
    </div>
  );
}
