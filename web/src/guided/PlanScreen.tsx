import { useEffect } from "preact/hooks";
import type { GuideFigures, GuidePlan } from "../api";
import { Frontier } from "../charts/Frontier";
import { count, percent } from "../numbers";
import { Button } from "../parts/Button";
import { Notice } from "../parts/Notice";
import { Heading } from "../parts/Page";
import { busy } from "../state";
import { texts } from "../texts";
import { Foot } from "./Foot";
import { decide, search } from "./state";

const words = texts.guide.plan;

type PlanName = GuidePlan["name"];

/** Plans that differ, each with all names that it has. */
function findAlike(plans: readonly GuidePlan[]): [GuidePlan, PlanName[]][] {
  const found: [GuidePlan, PlanName[]][] = [];
  for (const plan of plans) {
    const same = found.find(([each]) => each.sentence === plan.sentence && each.touched === plan.touched);
    if (same) same[1].push(plan.name);
    else found.push([plan, [plan.name]]);
  }
  return found;
}

function title(names: readonly PlanName[]): string {
  const named = names.map((name) => words.names[name]).join(", ");
  return names.length > 1 ? words.alike(named) : named;
}

/** Decision 4: which of the plans that were found. */
export function PlanScreen({ found }: { found: GuideFigures }) {
  const { plans, choice, searched } = found;
  useEffect(() => {
    if (!searched) void search();
  }, []);
  const taken = plans.findIndex((each) => each.name === choice);
  const points = plans.map((each) => ({
    touched: each.touched / found.records,
    loss: each.loss,
    named: `${words.names[each.name]}: ${words.figures(count(each.touched), percent(each.loss))}`,
    marks: [],
  }));
  return (
    <>
      <Heading title={words.title}>{found.words_found || words.intro}</Heading>
      {searched && !plans.length && <Notice tone="bad">{words.none}</Notice>}
      {searched && plans.length > 0 && !found.met && <Notice tone="warn">{words.near}</Notice>}
      <div class="plan-choice">
        <fieldset class="options stacked">
          <legend class="hidden">{words.title}</legend>
          {findAlike(plans).map(([each, names]) => (
            <label key={each.name} class="option">
              <input
                type="radio"
                name="plan"
                checked={names.includes(choice)}
                onChange={() => void decide({ choice: each.name })}
              />
              <span>
                <strong>{title(names)}</strong>
                <span class="under">{words.figures(count(each.touched), percent(each.loss))}</span>
                <span class="under">{each.sentence}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {points.length > 1 && (
          <Frontier
            points={points}
            cap={null}
            chosen={taken < 0 ? null : taken}
            choose={(point) => void decide({ choice: plans[point]!.name })}
            tall={280}
          />
        )}
      </div>
      <Foot waits={plans.length ? null : busy.value ? texts.guide.waits.searching : texts.guide.waits.plan}>
        <Button onClick={() => void search()}>{searched ? words.again : words.search}</Button>
      </Foot>
    </>
  );
}
