import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { ComparisonFigures } from "../../api";
import { percent, plural } from "../../numbers";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { Notice } from "../../parts/Notice";
import { Card, Heading } from "../../parts/Page";
import { Waiting } from "../../parts/Waiting";
import { go, scenarioName, study } from "../../state";
import { texts } from "../../texts";
import { Gaps } from "../risk/Gaps";
import { ScenarioChoice } from "../risk/Risk";
import { Changes } from "./Changes";
import { Decision } from "./Decision";
import { Losses } from "./Losses";
import { Named } from "./Named";
import { Naming } from "./Naming";
import { Numbers } from "./Numbers";
import { Pictures } from "./Pictures";
import { Plans } from "./Plans";

const words = texts.compare;

export function Compare() {
  const { steps, confirmed } = study.value!;
  const between = confirmed > 0 && confirmed < steps.length;
  const [from, setFrom] = useState(0);
  const to = between ? from : 0;
  const answer = useAnswer("GET /api/compare", { to }, steps.length > 0);
  return (
    <>
      <Heading title={words.title}>{words.intro}</Heading>
      <Decision />
      {between && (
        <Field label={words.with}>
          {(wiring) => (
            <select {...wiring} value={to} onChange={(event) => setFrom(Number(event.currentTarget.value))}>
              <option value={0}>{words.asRead}</option>
              <option value={confirmed}>{words.confirmedState(confirmed)}</option>
            </select>
          )}
        </Field>
      )}
      <ScenarioChoice />
      {steps.length === 0 && <p class="hint">{words.noSteps}</p>}
      <Waiting answer={answer}>{(found) => <Shown found={found} />}</Waiting>
      {steps.length > 0 && <Naming />}
      {steps.length > 0 && <Named to={to} />}
      <Plans />
      <footer>
        <Button onClick={() => go("inventory")}>{texts.back(texts.steps.inventory)}</Button>
        <Button kind={steps.length === confirmed ? "primary" : ""} onClick={() => go("release")}>
          {texts.next(texts.steps.release)}
        </Button>
      </footer>
    </>
  );
}

function Shown({ found }: { found: ComparisonFigures }) {
  const pair = found.risks.find((each) => each.scenario === scenarioName.value) ?? found.risks[0];
  const { cost } = found;
  return (
    <>
      {pair && <Pictures pair={pair} />}
      {pair && <Gaps found={pair.after} />}
      <Notice tone="info">
        {words.touched(
          plural(cost.touched, "record"),
          percent(cost.touched / cost.records),
          percent(cost.touched_weight),
        )}
      </Notice>
      {cost.utility && <Numbers utility={cost.utility} />}
      <Losses cost={cost} />
      <Changes cost={cost} />
      {cost.notes.length > 0 && (
        <Card title={words.notes}>
          <ul>
            {cost.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}
