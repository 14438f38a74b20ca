import { useState } from "preact/hooks";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { change, go, said, study } from "../../state";
import { texts } from "../../texts";
import { Taken } from "../protect/History";

const words = texts.compare;

/** Confirm or roll back. */
export function Decision() {
  const { steps, confirmed } = study.value!;
  const [asking, setAsking] = useState(false);
  const pending = steps.slice(confirmed);
  if (!steps.length) return null;
  const confirm = async () => {
    if (await change("POST /api/confirm", {})) said.value = words.confirmed;
  };
  const rollBack = async () => {
    setAsking(false);
    if (!(await change("POST /api/rollback", { body: { to: confirmed } }))) return;
    said.value = words.rolledBack;
    go("protect");
  };
  return (
    <section class="card decision">
      <header>
        <h2>{pending.length ? words.pending(pending.length) : `✓ ${words.allConfirmed}`}</h2>
        {pending.length > 0 && (
          <div class="buttons">
            <Button kind="primary" onClick={() => void confirm()}>
              ✓ {words.confirm}
            </Button>
            <Button onClick={() => setAsking(true)}>↩ {words.rollBack}</Button>
          </div>
        )}
      </header>
      <ol class="history">
        {steps.map((each) => (
          <li key={each.number}>
            <Taken taken={each} confirmed={each.number <= confirmed} />
          </li>
        ))}
      </ol>
      {asking && (
        <Dialog
          title={words.rollBackTitle}
          onClose={() => setAsking(false)}
          actions={
            <Button kind="primary" onClick={() => void rollBack()}>
              {words.rollBack}
            </Button>
          }
        >
          <p>{words.rollBackText(pending.length, confirmed === 0)}</p>
        </Dialog>
      )}
    </section>
  );
}
