/** Local suppression while it is being edited. */

import type { Scenario, StudySummary, Suppress } from "../../api";
import { householdLimits, limitFor, recordLimits, usualLimit, type Limit } from "../../limits";
import { texts } from "../../texts";

const words = texts.protect.suppress;

export type CostKind = keyof typeof words.costOptions;
export type Combine = keyof typeof words.combineOptions;
export type Criterion = keyof typeof words.criteria;

export interface SuppressDraft {
  readonly by: Criterion;
  readonly above: Limit;
  readonly k: Limit;
  readonly combine: Combine;
  readonly upTo: number | null;
  readonly levels: Readonly<Record<string, number>>;
  readonly people: boolean;
  readonly household: Limit | null;
  readonly together: boolean;
  readonly joint: boolean;
  readonly guarantee: Suppress["guarantee"];
  readonly costKind: CostKind;
  readonly costs: Readonly<Record<string, number>>;
  readonly byValue: boolean;
  readonly spare: readonly string[];
  readonly linked: Readonly<Record<string, readonly string[]>>;
  /** Scenarios that need not be met. */
  readonly without: readonly string[];
}

/** What the form begins with: the limits in force or those of the policy, and what was said of keys. */
export function startDraft(now: StudySummary): SuppressDraft {
  const keys = new Set(now.scenarios.flatMap((each) => each.keys));
  const costs = among(now.roles.costs, keys);
  const links = Object.entries(among(now.roles.linked, keys)).map(
    ([key, names]) => [key, names.filter((name) => now.names.includes(name))] as const,
  );
  return {
    by: "risk",
    above: recordLimits(now) ?? now.policy.record_risk ?? usualLimit(now),
    k: now.policy.k ?? 3,
    combine: "all",
    upTo: 2,
    levels: among(now.roles.levels, keys),
    people: false,
    household: now.scenarios.some((each) => each.household) ? (householdLimits(now) ?? now.policy.household_risk) : null,
    together: true,
    joint: false,
    guarantee: "own",
    costKind: Object.keys(costs).length ? "own" : "equal",
    costs,
    byValue: false,
    spare: [],
    linked: Object.fromEntries(links.filter(([, names]) => names.length)),
    without: [],
  };
}

/** The scenarios that are to be met. */
export function metBy(draft: SuppressDraft, scenarios: readonly Scenario[]): readonly Scenario[] {
  const met = scenarios.filter((each) => !draft.without.includes(each.name));
  return met.length ? met : scenarios;
}

/** Whether each record is safe by its own blanks: others' promise nothing of households or values. */
export function byRecord(draft: SuppressDraft): boolean {
  return draft.guarantee === "own" || draft.guarantee === "strict";
}

/** The step that a draft amounts to; every field of it is said, so that none is forgotten here. */
export function suppressStep(draft: SuppressDraft, scenarios: readonly Scenario[]): Omit<Suppress, "why"> {
  const met = metBy(draft, scenarios);
  const keys = new Set(met.flatMap((each) => each.keys));
  const counts = draft.by === "k" || draft.by === "both";
  const alone = byRecord(draft);
  const few = draft.guarantee !== "view"; // counts of few keys, or of people, say nothing of who is blanked alike
  const homes = met.some((each) => each.household);
  return {
    do: "suppress",
    above: draft.by === "risk" || draft.by === "both" ? only(draft.above, met) : null,
    k: counts ? only(draft.k, met) : null,
    guarantee: draft.guarantee,
    cost: draft.costKind === "equal" ? null : draft.costKind === "entropy" ? "entropy" : among(draft.costs, keys),
    spare: draft.spare.filter((key) => keys.has(key)),
    scenarios: met.length < scenarios.length ? met.map((each) => each.name) : [],
    linked: among(draft.linked, keys),
    household: alone && homes ? ofHouseholds(draft.household, met) : null,
    up_to: counts && few && draft.combine === "size" ? draft.upTo : null,
    levels: counts && few && draft.combine === "levels" ? among(draft.levels, keys) : {},
    people: counts && few && draft.people,
    together: draft.together,
    by_value: alone && draft.byValue,
    joint: draft.guarantee === "own" && draft.together && homes && draft.joint,
    seed: null,
  };
}

/** What is lacking before blanks can be counted; null if nothing is. */
export function lacking(draft: SuppressDraft, scenarios: readonly Scenario[]): string | null {
  const step = suppressStep(draft, scenarios);
  const keys = new Set(metBy(draft, scenarios).flatMap((each) => each.keys));
  if (scenarios.length && draft.without.length >= scenarios.length) return words.noScenario;
  if (step.above === null && step.k === null && step.household === null) return words.noLimit;
  if ([...keys].every((key) => step.spare.includes(key))) return words.allSpared;
  const levels = step.k !== null && draft.combine === "levels";
  return levels && !Object.keys(step.levels).length ? words.noLevels : null;
}

/** The links with one more, or one less. */
export function toggleLink(
  linked: SuppressDraft["linked"],
  key: string,
  variable: string,
): SuppressDraft["linked"] {
  const { [key]: now = [], ...others } = linked;
  const next = now.includes(variable) ? now.filter((each) => each !== variable) : [...now, variable];
  return next.length ? { ...others, [key]: next } : others;
}

/** A limit without scenarios that are not met; null if none is left. */
function only(limit: Limit, met: readonly Scenario[]): Limit | null {
  if (typeof limit === "number") return limit;
  const left = met.flatMap(({ name }) => (name in limit ? [[name, limit[name]!] as const] : []));
  return left.length ? Object.fromEntries(left) : null;
}

/** A limit on household risk, named for those that have households where not all do. */
function ofHouseholds(limit: Limit | null, met: readonly Scenario[]): Limit | null {
  if (limit === null || (typeof limit === "number" && met.every((each) => each.household))) return limit;
  const homes = met.filter((each) => each.household);
  const left = homes.flatMap(({ name }) => {
    const found = limitFor(limit, name);
    return found === null ? [] : [[name, found] as const];
  });
  return left.length ? Object.fromEntries(left) : null;
}

function among<T>(given: Readonly<Record<string, T>>, keys: ReadonlySet<string>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(given).filter(([key]) => keys.has(key)));
}
