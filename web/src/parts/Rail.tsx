import type { ComponentChildren } from "preact";
import { at, blocked, done, go, STEPS, study, TOOLS, type StepName } from "../state";
import { texts } from "../texts";

/** The steps, and places to go to at any time; what cannot be done yet says why. */
export function Rail() {
  return (
    <nav class="rail" aria-label={texts.rail.label}>
      <div>
        <ol>
          {STEPS.map((step, i) => (
            <li key={step}>
              <Stop step={step} mark={String(i + 1)} />
            </li>
          ))}
        </ol>
        <ul aria-label={texts.rail.tools}>
          {TOOLS.map((step) => (
            <li key={step}>
              <Stop step={step} mark={<Bars />} />
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}

function Stop({ step, mark }: { step: StepName; mark: ComponentChildren }) {
  const now = study.value;
  const reason = blocked(step, now);
  const finished = !reason && done(step, now);
  return (
    <button
      type="button"
      class={finished ? "done" : ""}
      aria-current={at.value === step ? "step" : undefined}
      aria-disabled={reason ? "true" : undefined}
      title={reason ?? undefined}
      onClick={() => !reason && go(step)}
    >
      <span class="mark" aria-hidden="true">
        {finished ? "✓" : mark}
      </span>
      <span>
        {texts.steps[step]}
        {finished && <span class="hidden"> ({texts.rail.done})</span>}
      </span>
    </button>
  );
}

function Bars() {
  return (
    <svg class="icon" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <path d="M2.5 12V7M7 12V2M11.5 12V5" />
    </svg>
  );
}
