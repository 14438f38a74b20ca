import { useAnswer } from "../../answer";
import type { VariableProfile } from "../../api";
import { Field } from "../../parts/Field";
import { study } from "../../state";
import { texts } from "../../texts";

/** Variables that are still in the file, keys first. */
export function useVariables(fits: (variable: VariableProfile) => boolean = () => true): VariableProfile[] {
  const answer = useAnswer("GET /api/variables", null);
  const now = study.value!;
  const keys = keysOf();
  const there = (answer.value?.variables ?? []).filter((each) => now.names.includes(each.name) && fits(each));
  return [...there.filter((each) => keys.has(each.name)), ...there.filter((each) => !keys.has(each.name))];
}

/** Keys of all scenarios. */
export function keysOf(): Set<string> {
  return new Set(study.value!.scenarios.flatMap((each) => each.keys));
}

interface Props {
  variables: readonly VariableProfile[];
  value: string;
  onChange(name: string): void;
}

export function VariableChoice({ variables, value, onChange }: Props) {
  const keys = keysOf();
  return (
    <Field label={texts.protect.variable}>
      {(wiring) => (
        <select {...wiring} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {variables.map(({ name, label }) => (
            <option key={name} value={name}>
              {name}
              {label && ` – ${label}`}
              {keys.has(name) && ` (${texts.protect.isKey})`}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
