import { FORMS, type FormEntry } from "../api";
import { Choices } from "./Choices";
import { Field } from "./Field";
import { NumberInput } from "./NumberInput";

/** The words that a field of a form may be, with a line more on some of them. */
export function choicesOf<C extends Readonly<Record<string, string>>>(
  { choices }: { readonly choices: C },
  hints: Partial<Record<keyof C, string>> = {},
): Record<keyof C & string, readonly [string, string]> {
  const words = Object.keys(choices) as (keyof C & string)[];
  const pairs = words.map((word): [string, readonly [string, string]] => [word, [choices[word]!, hints[word] ?? ""]]);
  return Object.fromEntries(pairs) as Record<keyof C & string, readonly [string, string]>;
}

interface OptionProps {
  field: FormEntry;
  value: unknown;
  onChange(value: unknown): void;
}

/** The control of a field that needs to know nothing but its value; null if there is none. */
export function OptionField({ field, value, onChange }: OptionProps) {
  switch (field.control) {
    case "number":
    case "whole":
      return (
        <NumberInput
          label={field.label}
          hint={field.help}
          value={typeof value === "number" ? value : null}
          min={-Infinity}
          max={Infinity}
          whole={field.control === "whole"}
          optional
          onChange={onChange}
          onEmpty={() => onChange(field.default)}
        />
      );
    case "text":
    case "file":
      return (
        <Field label={field.label} hint={field.help}>
          {(wiring) => (
            <input
              {...wiring}
              type="text"
              value={String(value ?? "")}
              onInput={(event) => onChange(event.currentTarget.value)}
            />
          )}
        </Field>
      );
    case "choice":
      return <Choices title={field.label} options={choicesOf(field)} value={String(value)} onChange={onChange} />;
    case "switch":
      return (
        <label class="choice">
          <input
            type="checkbox"
            checked={value === true}
            onChange={(event) => onChange(event.currentTarget.checked || field.default)}
          />
          <span>
            {field.label}
            <span class="hint">{field.help}</span>
          </span>
        </label>
      );
    default:
      return null;
  }
}

interface OtherProps {
  form: keyof typeof FORMS;
  /** Fields that have a place of their own. */
  but: readonly string[];
  values: object;
  onChange(part: Record<string, unknown>): void;
}

/** The fields of a form that have no place of their own in it. */
export function OtherFields({ form, but, values, onChange }: OtherProps) {
  const given = values as Readonly<Record<string, unknown>>;
  const others = Object.values<FormEntry>(FORMS[form]).filter(({ name }) => !but.includes(name));
  return (
    <>
      {others.map((field) => (
        <OptionField
          key={field.name}
          field={field}
          value={given[field.name] ?? field.default}
          onChange={(value) => onChange({ [field.name]: value })}
        />
      ))}
    </>
  );
}
