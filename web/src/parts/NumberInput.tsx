import { useLayoutEffect, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { readNumber } from "../numbers";
import { texts } from "../texts";
import { Field } from "./Field";

interface Props {
  label: ComponentChildren;
  hint?: string;
  value: number | null;
  min: number;
  max: number;
  /** Whether nothing may be given. */
  optional?: boolean;
  whole?: boolean;
  onChange(value: number): void;
  onEmpty?(): void;
}

/** A number that is told when it is one and within its bounds. */
export function NumberInput({ label, hint, value, min, max, optional, whole, onChange, onEmpty }: Props) {
  const [text, setText] = useState(shown(value));
  const [fault, setFault] = useState<string | null>(null);
  useLayoutEffect(() => {
    if (readNumber(text) !== value) setText(shown(value));
    setFault(null);
  }, [value]);
  const onInput = (typed: string) => {
    setText(typed);
    const number = readNumber(typed);
    if (number === null && typed.trim() === "" && optional) {
      setFault(null);
      onEmpty?.();
    } else if (number === null || number < min || number > max || (whole && !Number.isInteger(number))) {
      setFault(texts.number(min, max, whole ?? false));
    } else {
      setFault(null);
      onChange(number);
    }
  };
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(wiring) => (
        <input
          {...wiring}
          type="text"
          inputMode="decimal"
          autocomplete="off"
          value={text}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

function shown(value: number | null): string {
  return value === null ? "" : String(value);
}
