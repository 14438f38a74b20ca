import type { ComponentChildren } from "preact";
import type { Answer } from "../../answer";
import { Button } from "../../parts/Button";
import { Waiting } from "../../parts/Waiting";
import { said } from "../../state";
import { texts } from "../../texts";

interface Props<T> {
  answer: Answer<T>;
  stopped: boolean;
  onStop(stopped: boolean): void;
  children(value: T): ComponentChildren;
}

/** An answer that may take long: it can be cancelled, and asked for again. */
export function Look<T>({ answer, stopped, onStop, children }: Props<T>) {
  if (stopped) {
    return (
      <p class="buttons">
        <span class="hint">{texts.explore.stopped}</span>
        <Button small onClick={() => onStop(false)}>
          {texts.retry}
        </Button>
      </p>
    );
  }
  const stop = () => {
    said.value = texts.explore.stopped;
    onStop(true);
  };
  return (
    <Waiting answer={answer} onCancel={stop}>
      {children}
    </Waiting>
  );
}
