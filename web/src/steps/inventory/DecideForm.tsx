import type { RefObject } from "preact";
import type { VariableProfile } from "../../api";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { texts } from "../../texts";
import { waysFor, type Decision } from "./deciding";

const words = texts.inventory.decide;

interface Props {
  marked: readonly VariableProfile[];
  why: string;
  input: RefObject<HTMLInputElement>;
  onWhy(why: string): void;
  onDecide(way: Decision): void;
  onClear(): void;
}

/** One decision for all that are marked. */
export function DecideForm({ marked, why, input, onWhy, onDecide, onClear }: Props) {
  if (!marked.length) return <p class="hint">{words.hint}</p>;
  const ways = waysFor(marked);
  const needsReason = why.trim() ? null : words.needsReason;
  return (
    <section class="decide" aria-label={words.title(marked.length)}>
      <h3>{words.title(marked.length)}</h3>
      <p class="names">
        {marked.map((each) => (
          <code key={each.name}>{each.name}</code>
        ))}
      </p>
      <Field label={words.reason} hint={words.reasonHint}>
        {(wiring) => (
          <input
            {...wiring}
            ref={input}
            type="text"
            value={why}
            onInput={(event) => onWhy(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && !needsReason) onDecide("keep");
            }}
          />
        )}
      </Field>
      <div class="buttons">
        {ways.includes("keep") && (
          <Button kind="primary" blocked={needsReason} onClick={() => onDecide("keep")}>
            {words.keep(marked.length)}
          </Button>
        )}
        {ways
          .filter((way) => way !== "keep")
          .map((way) => (
            <Button key={way} onClick={() => onDecide(way)}>
              {words[way](marked.length)}
            </Button>
          ))}
        <Button kind="quiet" onClick={onClear}>
          {words.clear}
        </Button>
      </div>
    </section>
  );
}
