/** Forms that are made from the description of a step. */

import type { Scenario, Step, FormEntry, StepInput, StepKind, VariableProfile } from "../../api";

/** Kinds with a form of their own. All others get the one that is made from their description. */
export const OWN_FORMS = ["recode", "top_code", "bottom_code", "suppress"] as const satisfies readonly Step["do"][];

/** Kinds that change values at random or average them, which have a tab of their own. */
const PERTURBING = [
  "pram",
  "swap",
  "microaggregate",
  "noise",
  "rank_swap",
  "shuffle",
] as const satisfies readonly Step["do"][];

export type Values = Readonly<Record<string, unknown>>;

export function perturbingKinds(kinds: readonly StepKind[]): StepKind[] {
  return PERTURBING.flatMap((name) => kinds.filter((kind) => kind.do === name));
}

export function otherKinds(kinds: readonly StepKind[]): StepKind[] {
  const elsewhere: readonly string[] = [...OWN_FORMS, ...PERTURBING];
  return kinds.filter((kind) => !elsewhere.includes(kind.do));
}

/** What a form begins with: defaults, the scenario's weight and household, strata, and new seeds. */
export function startValues(
  kind: StepKind,
  scenario: Scenario | undefined,
  strata: readonly string[] = [],
): Values {
  const begin = (field: FormEntry): unknown => {
    if (field.name === "strata" && strata.length) return strata;
    if (field.control === "seed") return newSeed();
    if (field.name === "weight" || field.name === "household") return scenario?.[field.name] ?? field.default;
    return field.default;
  };
  return Object.fromEntries(kind.fields.map((field) => [field.name, begin(field)]));
}

/** Values after one was changed; what was said of categories goes with their variable. */
export function changedValues(kind: StepKind, values: Values, name: string, value: unknown): Values {
  const ofCategories = (field: FormEntry) => field.control === "matrix" || field.control === "groups";
  const gone = name === "variable" ? kind.fields.filter(ofCategories) : [];
  return { ...values, ...Object.fromEntries(gone.map((each) => [each.name, each.default])), [name]: value };
}

/** Ways to say the same, of which a form asks for one; none if there is only one. */
export function waysOf(kind: StepKind): string[] {
  return [...new Set(kind.fields.map((field) => field.way).filter((way) => way !== ""))];
}

/** Whether a field matters, given the others and the way that was chosen. */
export function applies(field: FormEntry, values: Values, way: string): boolean {
  if (field.way && field.way !== way) return false;
  if (!field.only_with) return true;
  const [name, word] = field.only_with.split("=");
  const value = values[name!];
  return word === undefined ? !isEmpty(value) && value !== false : value === word;
}

/** A random whole number of 53 bits, as many as JavaScript has. */
export function newSeed(): number {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high! >>> 11) * 2 ** 32 + low!;
}

/** The step that a form amounts to; null as long as something is lacking. */
export function stepFrom(kind: StepKind, values: Values, way = waysOf(kind)[0] ?? ""): StepInput | null {
  const fields = kind.fields.filter((field) => applies(field, values, way));
  const given = fields.filter((field) => !isEmpty(values[field.name]));
  // Only the first of several ways has defaults.
  const usual = way === (waysOf(kind)[0] ?? "");
  const lacks = (field: FormEntry) => !given.includes(field) && (field.required || (!usual && field.way === way));
  if (fields.some(lacks)) return null;
  const told = Object.fromEntries(given.map((field) => [field.name, values[field.name]]));
  return { do: kind.do, ...told } as StepInput;
}

/** Whether a step may change a variable, or a field may name it, as far as is known beforehand. */
export function fits(
  kind: StepKind,
  field: FormEntry,
  variable: VariableProfile,
  scenarios: readonly Scenario[],
): boolean {
  if (field.numeric && !variable.numeric) return false;
  if (!field.changed) return true;
  return scenarios.every(
    (each) =>
      (variable.name !== each.weight || kind.touches.includes("weight")) &&
      (variable.name !== each.household || kind.touches.includes("household")) &&
      (!each.keys.includes(variable.name) || kind.touches.includes("key")),
  );
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  if (Array.isArray(value)) return !value.length;
  return typeof value === "object" && !Object.keys(value).length;
}
