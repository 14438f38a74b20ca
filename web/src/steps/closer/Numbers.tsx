import { useState } from "preact/hooks";
import type { NumericQueryInput } from "../../api";
import { Field } from "../../parts/Field";
import { Term } from "../../parts/Glossary";
import { NumberInput } from "../../parts/NumberInput";
import { Segments } from "../../parts/Segments";
import { study } from "../../state";
import { texts } from "../../texts";
import { useVariables } from "../protect/VariableChoice";
import { LinkedNumbers } from "../risk/NumbersCard";
import { Asked } from "./Asked";
import { Picks } from "./Picks";

const words = texts.closer.numbers;
type By = keyof typeof words.byOptions;

/** Whether records can be found again by numbers that the person chooses. */
export function Numbers({ scenario }: { scenario: string }) {
  const { steps, scenarios } = study.value!;
  const known = scenarios.find((each) => each.name === scenario)!;
  const variables = useVariables(
    ({ name, role, numeric }) =>
      numeric && !known.keys.includes(name) && role !== "weight" && role !== "household" && role !== "identifier",
  );
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [to, setTo] = useState(0);
  const [width, setWidth] = useState(0.05);
  const [by, setBy] = useState<By>("deviation");
  const [repeats, setRepeats] = useState(0);
  const query: NumericQueryInput = {
    scenario,
    variables: chosen.filter((name) => variables.some((each) => each.name === name)),
    to: Math.min(to, steps.length),
    width,
    by,
    repeats,
  };
  return (
    <div class="stack">
      <p class="hint">{words.intro}</p>
      <Picks title={<Term name="numericRisk">{words.variables}</Term>} hint={words.usual} variables={variables} chosen={chosen} onChange={setChosen} />
      <div class="row fill">
        <Field label={words.to}>
          {(wiring) => (
            <select {...wiring} value={to} onChange={(event) => setTo(Number(event.currentTarget.value))}>
              <option value={0}>{words.asRead}</option>
              {steps.map((_, i) => (
                <option key={i} value={i + 1}>
                  {words.after(i + 1)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <NumberInput label={words.width} value={width} min={0} max={1} onChange={setWidth} />
        <NumberInput
          label={words.repeats}
          hint={words.repeatsHint}
          value={repeats}
          min={0}
          max={1000}
          whole
          onChange={setRepeats}
        />
      </div>
      <div class="buttons">
        <span>{words.by}</span>
        <Segments<By> label={words.by} options={words.byOptions} value={by} onChange={setBy} />
      </div>
      <Asked route="GET /api/numeric-risk" query={query}>
        {(found) => (found.variables.length ? <LinkedNumbers found={found} by={by} /> : <p>{words.none}</p>)}
      </Asked>
    </div>
  );
}
