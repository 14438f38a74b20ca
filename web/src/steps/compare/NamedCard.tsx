import type { ComponentChildren } from "preact";
import type { Answer } from "../../answer";
import { Button } from "../../parts/Button";
import { Card } from "../../parts/Page";
import { Waiting } from "../../parts/Waiting";
import { texts } from "../../texts";

interface Props<T> {
  name: string;
  answer: Answer<T>;
  onRemove(): void;
  children(found: T): ComponentChildren;
}

/** A table or a model that was named, with a button that takes it away. */
export function NamedCard<T>({ name, answer, onRemove, children }: Props<T>) {
  return (
    <Card
      title={<code>{name}</code>}
      aside={
        <Button small kind="quiet" more={name} onClick={onRemove}>
          {texts.uses.remove}
        </Button>
      }
    >
      <Waiting answer={answer}>{children}</Waiting>
    </Card>
  );
}
