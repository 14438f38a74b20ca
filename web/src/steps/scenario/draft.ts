/** A scenario while it is being edited. */

import { FORMS, type FormEntry, type Scenario, type VariableProfile } from "../../api";
import { count, percent } from "../../numbers";
import { texts } from "../../texts";

export type Draft = { -readonly [K in keyof Scenario]: Scenario[K] };
export type Role = "none" | "key" | "weight" | "household";

export function emptyDraft(name: string): Draft {
  const usual = Object.values<FormEntry>(FORMS.scenario).map((field) => [field.name, field.default]);
  return { ...(Object.fromEntries(usual) as Draft), name, keys: [], why: "" };
}

export function roleIn(draft: Draft, name: string): Role {
  if (draft.weight === name) return "weight";
  if (draft.household === name) return "household";
  return draft.keys.includes(name) ? "key" : "none";
}

/** The draft with a variable in another role; weight and household are held by one each. */
export function withRole(draft: Draft, name: string, role: Role, order: readonly string[]): Draft {
  const keys = draft.keys.filter((key) => key !== name);
  if (role === "key") keys.push(name);
  return chosenByFile({
    ...draft,
    keys: order.filter((each) => keys.includes(each)),
    weight: role === "weight" ? name : draft.weight === name ? null : draft.weight,
    household: role === "household" ? name : draft.household === name ? null : draft.household,
    ...(role !== "none" && draft.person === name ? { person: null, wave: null, person_weights: "wave" } : {}),
    ...(role !== "none" && draft.wave === name ? { wave: null } : {}),
  });
}

/** The draft with its estimator left to the file, unless its rule for missing keys goes with one only. */
export function chosenByFile(draft: Draft): Draft {
  if (!draft.weight) return underEstimator(draft, "cell");
  const usual = draft.estimator === "model" ? "integrate" : "wildcard";
  const plain = draft.missing === null || draft.missing === "category" || draft.missing === usual;
  return plain && draft.alpha === 1 ? underEstimator(draft, null) : draft;
}

/** Whether cells alone decide, be it said or because there is no weight. */
function byCell(draft: Scenario): boolean {
  return draft.estimator === "cell" || (draft.estimator === null && !draft.weight);
}

/** A scenario by another estimator, with the rule for missing keys that goes with it. */
export function underEstimator<T extends Scenario>(draft: T, estimator: Scenario["estimator"]): T {
  if (estimator === draft.estimator) return draft;
  return { ...draft, estimator, missing: draft.missing === "category" ? "category" : null, alpha: 1 };
}

/** The keys that are proposed, in their order. */
export function proposed(variables: readonly VariableProfile[]): VariableProfile[] {
  return variables.filter((each) => each.place !== null).sort((one, other) => one.place! - other.place!);
}

/** The draft with the roles that the file suggests. */
export function suggested(draft: Draft, variables: readonly VariableProfile[]): Draft {
  const first = (role: VariableProfile["role"]) => variables.find((each) => each.role === role)?.name ?? null;
  return chosenByFile({
    ...draft,
    keys: variables.filter((each) => each.role === "key").map((each) => each.name),
    weight: first("weight"),
    household: first("household"),
  });
}

/** The scenario that a draft amounts to: chances of error of keys only. */
export function scenarioOf(draft: Draft): Draft {
  const error = Object.entries(draft.error).filter(([key, chance]) => chance > 0 && draft.keys.includes(key));
  return { ...draft, error: Object.fromEntries(error) };
}

const MANY_CATEGORIES = 60;
const MANY_KEYS = 10;
const MUCH_MISSING = 0.1;

/** What to think of before measuring. */
export function lessons(draft: Draft, variables: readonly VariableProfile[], records: number): string[] {
  const { teach } = texts.scenario;
  const found: string[] = [];
  if (!draft.keys.length) return found;
  if (!draft.weight) found.push(teach.noWeight);
  if (!draft.household && variables.some((each) => each.role === "household")) found.push(teach.noHousehold);
  if (draft.keys.length === 1) found.push(teach.alone);
  if (draft.keys.length > MANY_KEYS) found.push(teach.keys(count(draft.keys.length)));
  for (const each of variables.filter(({ name }) => draft.keys.includes(name))) {
    if (each.role === "identifier") found.push(teach.identifier(each.name));
    else if (each.distinct > MANY_CATEGORIES) found.push(teach.many(each.name, count(each.distinct)));
    if (byCell(draft) && (draft.missing ?? "wildcard") === "wildcard" && each.missing > MUCH_MISSING * records) {
      found.push(teach.missing(each.name, percent(each.missing / records)));
    }
  }
  return found;
}
