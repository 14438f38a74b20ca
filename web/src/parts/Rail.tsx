import { at, blocked, done, go, STEPS, study } from "../state";
import { texts } from "../texts";

/** The steps; what cannot be done yet says why. */
export function Rail() {
  const now = study.value;
  return (
    <nav class="rail" aria-label={texts.rail.label}>
      <ol>
        {STEPS.map((step, i) => {
          const reason = blocked(step, now);
          const finished = !reason && done(step, now);
          return (
            <li key={step}>
              <button
                type="button"
                class={finished ? "done" : ""}
                aria-current={at.value === step ? "step" : undefined}
                aria-disabled={reason ? "true" : undefined}
                title={reason ?? undefined}
                onClick={() => !reason && go(step)}
              >
                <span class="mark" aria-hidden="true">
                  {finished ? "✓" : i + 1}
                </span>
                <span>
                  {texts.steps[step]}
                  {finished && <span class="hidden"> ({texts.rail.done})</span>}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
