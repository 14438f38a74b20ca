import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props<T extends string> {
  title: ComponentChildren;
  options: Readonly<Record<T, readonly [string, string]>>;
  value: T;
  onChange(value: T): void;
}

/** One of a few, each with a line that explains it. */
export function Choices<T extends string>({ title, options, value, onChange }: Props<T>) {
  const id = useId();
  return (
    <fieldset>
      <legend>{title}</legend>
      {(Object.keys(options) as T[]).map((option) => (
        <label class="choice" key={option}>
          <input type="radio" name={id} checked={option === value} onChange={() => onChange(option)} />
          <span>
            {options[option][0]}
            <span class="hint">{options[option][1]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
