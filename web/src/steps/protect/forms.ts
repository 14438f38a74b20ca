/** Forms that are made from the description of a step. */

import type { Scenario, Step, StepField, StepInput, StepKind, VariableInfo } from "../../api";

/** Kinds with a form of their own. All others get the one that is made from their description. */
export const OWN_FORMS = ["recode", "top_code", "bottom_code", "suppress"] as const satisfies readonly Step["do"][];

export type Values = Readonly<Record<string, unknown>>;

export function otherKinds(kinds: readonly StepKind[]): StepKind[] {
  const own: readonly string[] = OWN_FORMS;
  return kinds.filter((kind) => !own.includes(kind.do));
}

/** What a form begins with: defaults, the scenario's weight and household, and new seeds. */
export function startValues(kind: StepKind, scenario: Scenario | undefined): Values {
  const begin = (field: StepField): unknown => {
    if (field.control === "seed") return newSeed();
    if (field.name === "weight" || field.name === "household") return scenario?.[field.name] ?? field.default;
    return field.default;
  };
  return Object.fromEntries(kind.fields.map((field) => [field.name, begin(field)]));
}

/** A random whole number of 53 bits, as many as JavaScript has. */
export function newSeed(): number {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high! >>> 11) * 2 ** 32 + low!;
}

/** The step that a form amounts to; null as long as something is lacking. */
export function stepFrom(kind: StepKind, values: Values): StepInput | null {
  const given = kind.fields.filter((field) => !isEmpty(values[field.name]));
  if (kind.fields.some((field) => field.required && !given.includes(field))) return null;
  const told = Object.fromEntries(given.map((field) => [field.name, values[field.name]]));
  return { do: kind.do, ...told } as StepInput;
}

/** Whether a step may change a variable, or a field may name it, as far as is known beforehand. */
export function fits(
  kind: StepKind,
  field: StepField,
  variable: VariableInfo,
  scenarios: readonly Scenario[],
): boolean {
  if (field.numeric && variable.kind !== "integer" && variable.kind !== "number") return false;
  if (!field.changed) return true;
  return scenarios.every(
    (each) =>
      (variable.name !== each.weight || kind.touches.includes("weight")) &&
      (variable.name !== each.household || kind.touches.includes("household")) &&
      (!each.keys.includes(variable.name) || kind.touches.includes("key")),
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length);
}
