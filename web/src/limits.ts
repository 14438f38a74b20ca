/** Limits on risk: one for all scenarios, or one for each that has its own. */

import { PROFILES, USUAL_PROFILE, type StudySummary } from "./api";

export type Limit = number | Readonly<Record<string, number>>;

type Known = Pick<StudySummary, "limit" | "limits" | "household_limit" | "household_limits" | "scenarios">;

/** The limit on the risk of a record under a scenario. */
export function limitOf(now: Known | null, scenario: string): number | null {
  return now?.limits[scenario] ?? now?.limit ?? null;
}

/** The limit that is usual for those who get the file: the public, where nobody said who. */
export function usualLimit(now: Pick<StudySummary, "profile"> | null): number {
  const name = now?.profile ?? USUAL_PROFILE;
  return PROFILES.find((each) => each.name === name)!.record_risk;
}

/** The limit on the risk of a household under a scenario. */
export function householdLimitOf(now: Known | null, scenario: string): number | null {
  return now?.household_limits[scenario] ?? now?.household_limit ?? null;
}

/** The study with the limit of a scenario moved: its own if it has one, or else that of all. */
export function withLimit<T extends Known>(now: T, scenario: string, limit: number): T {
  if (!(scenario in now.limits)) return { ...now, limit };
  return { ...now, limits: { ...now.limits, [scenario]: limit } };
}

export function withHouseholdLimit<T extends Known>(now: T, scenario: string, limit: number): T {
  if (!(scenario in now.household_limits) && !(scenario in now.limits)) return { ...now, household_limit: limit };
  return { ...now, household_limits: { ...now.household_limits, [scenario]: limit } };
}

/** Limits in force on records: one number unless a scenario has its own. */
export function recordLimits(now: Known): Limit | null {
  return inForce(now.scenarios.map((each) => [each.name, limitOf(now, each.name)]));
}

/** The same on households, where a scenario has them; one number if all do. */
export function householdLimits(now: Known): Limit | null {
  return inForce(
    now.scenarios.map((each) => [each.name, each.household ? householdLimitOf(now, each.name) : null]),
  );
}

function inForce(limits: readonly (readonly [string, number | null])[]): Limit | null {
  const given = limits.filter((each): each is [string, number] => each[1] !== null);
  if (!given.length) return null;
  const alike = given.length === limits.length && given.every(([, limit]) => limit === given[0]![1]);
  return alike ? given[0]![1] : Object.fromEntries(given);
}

/** What a limit is for a scenario. */
export function limitFor(limit: Limit | null | undefined, scenario: string): number | null {
  if (limit === null || limit === undefined) return null;
  return typeof limit === "number" ? limit : (limit[scenario] ?? null);
}
