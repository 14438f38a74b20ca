import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { VariableProfile } from "../../api";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { Card, Heading } from "../../parts/Page";
import { Segments } from "../../parts/Segments";
import { Waiting } from "../../parts/Waiting";
import { explored, study } from "../../state";
import { texts } from "../../texts";
import { usable } from "../compare/naming";
import { Cross } from "./Cross";
import { Distribution } from "./Distribution";
import { LEAST, type Moment } from "./shares";

const words = texts.explore;

/** One variable, or two against each other, before protection and now. */
export function Explore() {
  const answer = useAnswer("GET /api/variables", null);
  return (
    <>
      <Heading title={words.title}>{words.intro(LEAST)}</Heading>
      <Waiting answer={answer}>{(found) => <Explorer variables={found.variables} />}</Waiting>
    </>
  );
}

function Explorer({ variables }: { variables: readonly VariableProfile[] }) {
  const { scenarios, names, steps } = study.value!;
  const [moment, setMoment] = useState<Moment>("now");
  const now: Moment = steps.length ? moment : "now";
  const there = now === "now" ? names : variables.map((each) => each.name);
  const shown = usable(variables, scenarios, there);
  const { variable, against } = explored.value;
  const one = shown.some((each) => each.name === variable) ? variable : firstOf(shown);
  const other = shown.some((each) => each.name === against) ? against : "";
  const choose = (next: Partial<typeof explored.value>) => (explored.value = { variable: one, against: other, ...next });
  const at = now === "before" ? { steps: 0 } : {};
  return (
    <>
      <Card class="wide" title={words.choose}>
        <div class="row roomy">
          <Choice label={words.variable} variables={shown} value={one} onChange={(name) => choose({ variable: name })} />
          <Choice
            label={words.against}
            none={words.alone}
            fault={other && other === one ? words.twice : null}
            variables={shown}
            value={other}
            onChange={(name) => choose({ against: name })}
          />
        </div>
        {(steps.length > 0 || (other && other !== one)) && (
          <div class="buttons">
            {steps.length > 0 && (
              <Segments<Moment> label={words.state} options={words.states} value={now} onChange={setMoment} />
            )}
            {other && other !== one && (
              <Button small onClick={() => choose({ variable: other, against: one })}>
                {words.swap}
              </Button>
            )}
          </div>
        )}
      </Card>
      {one && !other && <Distribution key={one} name={one} at={at} />}
      {one && other && other !== one && <Cross key={`${one} ${other}`} rows={one} columns={other} at={at} />}
    </>
  );
}

/** The first of the keys that are proposed, or the first of all. */
function firstOf(variables: readonly VariableProfile[]): string {
  return (variables.find((each) => each.role === "key") ?? variables[0])?.name ?? "";
}

interface ChoiceProps {
  label: string;
  none?: string;
  fault?: string | null;
  variables: readonly VariableProfile[];
  value: string;
  onChange(name: string): void;
}

function Choice({ label, none, fault, variables, value, onChange }: ChoiceProps) {
  return (
    <Field label={label} fault={fault}>
      {(wiring) => (
        <select {...wiring} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {none && <option value="">{none}</option>}
          {variables.map((each) => (
            <option key={each.name} value={each.name}>
              {each.label ? `${each.name}: ${each.label}` : each.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
