import { useAnswer } from "../../answer";
import type { PlanDetail, ProposalFigures } from "../../api";
import { count, figure, percent } from "../../numbers";
import { BarTable } from "../../parts/BarTable";
import { Button } from "../../parts/Button";
import { Term } from "../../parts/Glossary";
import { Figures } from "../../parts/Page";
import { Waiting } from "../../parts/Waiting";
import { change, go, said, toCompare } from "../../state";
import { texts } from "../../texts";
import { VerdictTable } from "../release/VerdictTable";
import { capital } from "./Result";

const words = texts.propose.plan;
const LARGE_GAP = 0.2; // of the loss: a search that was stopped that early has not said much

/** One plan, opened: what it does, key by key and rule by rule, and the buttons that take it. */
export function PlanPanel({ found, point }: { found: ProposalFigures; point: number }) {
  const plan = found.points[point]!;
  const query = { proposal: found.proposal, point };
  const answer = useAnswer("GET /api/proposal/plan", query, !found.stale);
  const name = capital(plan.words);
  const take = async () => {
    if (await change("POST /api/proposal/take", { body: query })) said.value = words.tookIt(name);
  };
  const compare = async () => {
    if (await change("POST /api/proposal/keep", { body: { ...query, name } })) {
      toCompare.value = name;
      go("compare");
    }
  };
  const stale = found.stale ? texts.propose.result.stale : null;
  return (
    <section class="preview plan-panel" aria-label={name}>
      <h2>{name}</h2>
      <p class="hint">
        {plan.gap ? <Term name="gap">{words.gap(percent(plan.gap), plan.gap > LARGE_GAP)}</Term> : words.proved}
      </p>
      <Figures
        figures={[
          ...(plan.loss_by_uses === null
            ? [{ name: words.figures.loss, value: percent(plan.loss) }]
            : [
                { name: words.figures.byUses, value: percent(plan.loss_by_uses) },
                { name: words.figures.plainLoss, value: percent(plan.loss) },
              ]),
          {
            name: words.figures.touched,
            value: count(plan.touched),
            note: percent(plan.touched / found.records),
          },
          { name: words.figures.blanks, value: count(plan.blanks) },
          ...(answer.value ? [{ name: words.figures.expected, value: figure(answer.value.expected, 3) }] : []),
        ]}
      />
      <div class="buttons">
        <Button
          kind="primary"
          blocked={stale ?? (point === found.taken ? words.taken : null)}
          onClick={() => void take()}
        >
          {words.take}
        </Button>
        {!found.stale && <Button onClick={() => void compare()}>{words.compare}</Button>}
      </div>
      <Waiting answer={answer}>{(detail) => <Shown detail={detail} />}</Waiting>
      <p class="hint">
        {words.compareHint} {words.policy}
      </p>
    </section>
  );
}

function Shown({ detail }: { detail: PlanDetail }) {
  const { losses, verdicts, steps, replaced } = detail;
  return (
    <>
      <BarTable
        caption={words.losses}
        heads={words.heads}
        full={1}
        rows={losses.map((each) => ({
          name: <code>{each.key}</code>,
          value: each.loss,
          shown: percent(each.loss),
          more: [count(each.blanks), each.recode || words.asIs],
        }))}
      />
      <VerdictTable verdicts={verdicts} />
      <details>
        <summary>{words.steps}</summary>
        <ol class="plan-steps">
          {steps.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ol>
      </details>
      {replaced.length > 0 && (
        <p class="hint">
          {words.replaced}: {replaced.join("; ")}. {words.kept}
        </p>
      )}
    </>
  );
}
