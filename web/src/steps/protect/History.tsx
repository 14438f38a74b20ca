import type { StepTaken } from "../../api";
import { plural } from "../../numbers";
import { Button } from "../../parts/Button";
import { Card } from "../../parts/Page";
import { change, said, study } from "../../state";
import { texts } from "../../texts";

const words = texts.protect.history;

async function back(to: number): Promise<void> {
  if (await change("POST /api/rollback", { body: { to } })) said.value = texts.job.undone;
}

/** The steps taken, with a way back to any point. */
export function History() {
  const { steps, confirmed } = study.value!;
  return (
    <Card title={words.title}>
      {steps.length === 0 && <p class="hint">{words.none}</p>}
      {steps.length > 0 && (
        <ol class="history" aria-label={words.title}>
          {steps.map((each) => (
            <li key={each.number}>
              <Taken taken={each} confirmed={each.number <= confirmed} />
              <Button
                small
                kind="quiet"
                more={words.undo(each.number)}
                onClick={() => void back(each.number - 1)}
              >
                {words.undoShort}
              </Button>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

export function Taken({ taken, confirmed = false }: { taken: StepTaken; confirmed?: boolean }) {
  return (
    <div class="taken">
      <span>
        {taken.words} {confirmed && <span class="badge good">✓ {words.confirmed}</span>}
      </span>
      {taken.total > 0 && (
        <span class="hint">
          {words.blanks(plural(taken.total, "value"), plural(taken.records, "record"))}
        </span>
      )}
      {taken.stuck > 0 && <span class="badge bad">! {words.stuck(plural(taken.stuck, "record"))}</span>}
      {taken.leaning > 0 && (
        <span class="badge warn">! {words.leaning(plural(taken.leaning, "record"))}</span>
      )}
      {taken.readable.length > 0 && (
        <span class="caution">! {words.readable(taken.readable.join(", "))}</span>
      )}
      {taken.step.why && (
        <span class="hint">
          {words.why}: {taken.step.why}
        </span>
      )}
    </div>
  );
}
