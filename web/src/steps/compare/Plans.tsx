import { useEffect, useRef, useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { PlanFigures } from "../../api";
import { commonEdges } from "../../charts/BinTable";
import { largestBar, StillPicture } from "../../charts/StillPicture";
import { pointsCurve } from "../../choice";
import { exactAt, limitAt, type Curve } from "../../limit";
import { limitOf } from "../../limits";
import { count, figure, percent, plain, ratePercent } from "../../numbers";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { Card } from "../../parts/Page";
import { Waiting } from "../../parts/Waiting";
import { change, said, scenarioName, study, toCompare } from "../../state";
import { texts } from "../../texts";

const words = texts.compare;

/** Candidate plans: kept, used, forgotten, and two against each other. */
export function Plans() {
  const { plans, steps } = study.value!;
  return (
    <Card title={words.plans}>
      <p class="hint">{words.plansIntro}</p>
      <Keep steps={steps.length} />
      {plans.length > 0 && (
        <ul class="plans">
          {plans.map((plan) => (
            <li key={plan.name}>
              <div>
                <strong>{plan.name}</strong>
                <span class="hint">{plan.steps.join("; ")}</span>
              </div>
              <div class="buttons">
                <Button
                  small
                  more={plan.name}
                  onClick={() => void change("POST /api/plans/use", { body: { name: plan.name } })}
                >
                  {words.use}
                </Button>
                <Button
                  small
                  more={plan.name}
                  onClick={() => void change("DELETE /api/plans", { query: { name: plan.name } })}
                >
                  {words.forget}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {plans.length > 0 && <Versus />}
    </Card>
  );
}

function Keep({ steps }: { steps: number }) {
  const [name, setName] = useState("");
  const keep = async () => {
    if (await change("POST /api/plans", { body: { name: name.trim() } })) {
      said.value = words.kept(name.trim());
      setName((now) => (now === name ? "" : now)); // unless the next name is being typed
    }
  };
  const blocked = steps === 0 ? words.keepNone : name.trim() ? null : words.keepName;
  return (
    <div class="inline-form">
      <Field label={words.keepAs}>
        {(wiring) => (
          <input
            {...wiring}
            type="text"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <Button blocked={blocked} onClick={() => void keep()}>
        {words.keep}
      </Button>
    </div>
  );
}

function Versus() {
  const { plans, steps } = study.value!;
  const names = plans.map((each) => each.name);
  const [sought] = useState(toCompare.peek());
  const [pair, setPair] = useState<readonly [string, string] | null>(sought ? [sought, ""] : null);
  const [one, setOne] = useState(sought ?? names[0]!);
  const [other, setOther] = useState(sought || steps.length ? "" : (names[1] ?? ""));
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    toCompare.value = null;
    if (sought) form.current?.scrollIntoView();
  }, []);
  const there = (name: string) => name === "" || names.includes(name);
  const asked = pair && pair.every(there) ? pair : null;
  const answer = useAnswer(
    "GET /api/plans/compare",
    asked && { one: asked[0], other: asked[1] },
    asked !== null,
  );
  const choose = (label: string, value: string, put: (name: string) => void) => (
    <Field label={label}>
      {(wiring) => (
        <select {...wiring} value={value} onChange={(event) => put(event.currentTarget.value)}>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
          <option value="">{words.present}</option>
        </select>
      )}
    </Field>
  );
  return (
    <>
      <div class="inline-form" ref={form}>
        {choose(words.one, one, setOne)}
        {choose(words.other, other, setOther)}
        <Button onClick={() => setPair([one, other])}>{words.against}</Button>
      </div>
      <Waiting answer={answer}>{(found) => <SideBySide plans={[found.one, found.other]} />}</Waiting>
    </>
  );
}

function SideBySide({ plans }: { plans: readonly PlanFigures[] }) {
  const limit = limitOf(study.value, scenarioName.value);
  const of = (plan: PlanFigures) =>
    plan.risks.find((each) => each.scenario === scenarioName.value) ?? plan.risks[0]!;
  const curves = plans.map((plan) => pointsCurve(of(plan).curve));
  const edges = commonEdges(curves);
  const largest = largestBar(curves, edges);
  const named = (plan: PlanFigures) => plan.name || words.present;
  return (
    <>
      <div class="pair">
        {plans.map((plan, i) => (
          <figure key={i}>
            <figcaption>{named(plan)}</figcaption>
            <StillPicture
              curve={curves[i]!}
              edges={edges}
              largest={largest}
              limit={limit}
              named={words.pictureOf(named(plan))}
            />
          </figure>
        ))}
      </div>
      <table>
        <caption class="hidden">{words.against}</caption>
        <thead>
          <tr>
            <th scope="col">{words.versusHeads}</th>
            {plans.map((plan, i) => (
              <th scope="col" class="number" key={i}>
                {named(plan)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(plans.map((plan, i) => valuesOf(plan, of(plan), unsafeAt(curves[i]!, limit)))).map(
            ([name, values]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {values.map((value, i) => (
                  <td class="number" key={i}>
                    {value}
                  </td>
                ))}
              </tr>
            ),
          )}
        </tbody>
      </table>
    </>
  );
}

/** Records above the limit; about, where the curve is thinned. */
function unsafeAt(curve: Curve, limit: number | null): string {
  if (limit === null) return "–";
  return (exactAt(curve, limit) ? "" : "≈ ") + count(limitAt(curve, limit).unsafe);
}

type Name = keyof typeof words.versus;

function valuesOf(
  plan: PlanFigures,
  risk: PlanFigures["risks"][number],
  unsafe: string,
): Record<Name, string> {
  const { cost } = plan;
  const keys = cost.losses.filter((each) => each.key);
  return {
    steps: count(plan.steps.length),
    unsafe,
    expected: figure(risk.expected, 4),
    rate: ratePercent(risk.rate),
    max: plain(risk.max, 3),
    blanks: count(cost.blanks),
    touched: `${count(cost.touched)} (${percent(cost.touched / cost.records)})`,
    lost: percent(keys.reduce((sum, each) => sum + each.lost_share, 0) / Math.max(keys.length, 1)),
  };
}

function rowsOf(columns: readonly Record<Name, string>[]): [string, string[]][] {
  return (Object.keys(words.versus) as Name[]).map((name) => [
    words.versus[name],
    columns.map((column) => column[name]),
  ]);
}
