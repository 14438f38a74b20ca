import { useState } from "preact/hooks";
import type { VariableProfile } from "../../api";
import { Field } from "../../parts/Field";
import { Notice } from "../../parts/Notice";
import { texts } from "../../texts";
import { CategoryTable } from "../open/CategoryTable";
import { equalBreaks, readBreaks } from "./recoding";

const words = texts.protect.recode;

interface Props {
  detail: VariableProfile;
  breaks: readonly number[] | null;
  onChange(breaks: number[] | null): void;
}

/** Bands of numbers: equal widths at a click, or bounds of one's own. */
export function Bands({ detail, breaks, onChange }: Props) {
  const [text, setText] = useState(breaks?.join(", ") ?? "");
  const [fault, setFault] = useState<string | null>(null);
  if (!detail.numeric) return <Notice tone="info">{words.notNumeric}</Notice>;
  const type = (typed: string) => {
    const found = readBreaks(typed);
    setText(typed);
    setFault(found || !typed.trim() ? null : words.breaksFault);
    onChange(found);
  };
  return (
    <>
      <div class="field">
        <span>{words.width}</span>
        <div class="buttons" role="group" aria-label={words.width}>
          {Object.keys(words.widths).map((width) => (
            <button
              type="button"
              class="button small"
              key={width}
              onClick={() => type(equalBreaks(detail, Number(width)).join(", "))}
            >
              {width}
            </button>
          ))}
        </div>
      </div>
      <Field label={words.breaks} hint={words.breaksHint} fault={fault}>
        {(wiring) => (
          <input
            {...wiring}
            type="text"
            autocomplete="off"
            value={text}
            onInput={(event) => type(event.currentTarget.value)}
          />
        )}
      </Field>
      <details>
        <summary>{texts.open.show(detail.name)}</summary>
        <CategoryTable name={detail.name} />
      </details>
    </>
  );
}
