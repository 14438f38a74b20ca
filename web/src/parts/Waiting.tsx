import type { ComponentChildren } from "preact";
import type { Answer } from "../answer";
import { texts } from "../texts";
import { Button } from "./Button";
import { Notice } from "./Notice";

interface Props<T> {
  answer: Answer<T>;
  children(value: T): ComponentChildren;
  /** How to stop it, for work that may take long. */
  onCancel?(): void;
}

/** An answer, or how far it is, or why there is none. */
export function Waiting<T>({ answer, children, onCancel }: Props<T>) {
  const { value, refusal, waiting, retry } = answer;
  if (value !== null) return <>{children(value)}</>;
  if (refusal && !refusal.stopped) {
    return (
      <Notice tone="bad" title={refusal.problem.error}>
        {refusal.problem.remedy}{" "}
        <Button kind="quiet" small onClick={retry}>
          {texts.retry}
        </Button>
      </Notice>
    );
  }
  if (!waiting) return null;
  return (
    <div class="waiting" aria-busy="true">
      <span>{texts.job.stage(waiting.stage)}</span>
      <progress
        max={1}
        {...(waiting.fraction > 0 ? { value: waiting.fraction } : {})}
        aria-label={texts.loading}
      />
      {onCancel && (
        <Button small onClick={onCancel}>
          {texts.job.cancel}
        </Button>
      )}
    </div>
  );
}
