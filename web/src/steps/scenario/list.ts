/** Scenarios while their list is being edited. */

import type { ProposedScenario, Scenario, ScenarioListInput } from "../../api";
import { texts } from "../../texts";
import { chosenByFile, scenarioOf, type Draft } from "./draft";

const words = texts.several.list;

export interface Listed {
  readonly draft: Draft;
  /** Its name on the server; null if it is not there yet. */
  readonly origin: string | null;
}

export interface Scenarios {
  readonly all: readonly Listed[];
  /** Which one is in hand. */
  readonly at: number;
}

/** The list of a study; a study without scenarios begins with a first one. */
export function listOf(scenarios: readonly Scenario[], at: string, first: () => Draft): Scenarios {
  if (!scenarios.length) return { all: [{ draft: first(), origin: null }], at: 0 };
  const all = scenarios.map((each) => ({ draft: { ...each }, origin: each.name }));
  return { all, at: Math.max(0, scenarios.findIndex((each) => each.name === at)) };
}

/** The list with the scenario in hand changed. */
export function edited({ all, at }: Scenarios, draft: Draft): Scenarios {
  return { all: all.map((each, i) => (i === at ? { ...each, draft } : each)), at };
}

/** The list with one more, which is then in hand. */
export function added({ all }: Scenarios, draft: Draft): Scenarios {
  return { all: [...all, { draft: { ...draft, name: freeName(all, draft.name) }, origin: null }], at: all.length };
}

/** An empty scenario with the assumptions of the first. */
export function blank({ all }: Scenarios): Draft {
  return chosenByFile({ ...all[0]!.draft, name: words.newName, keys: [], error: {}, why: "" });
}

/** A ready-made scenario, with the assumptions of the first scenario. */
export function madeOf({ all }: Scenarios, { name, keys, why }: ProposedScenario): Draft {
  return chosenByFile({ ...all[0]!.draft, name, keys: [...keys], error: {}, why });
}

/** The list without one; the first stays. */
export function removed({ all, at }: Scenarios, place: number): Scenarios {
  if (!place) return { all, at };
  return { all: all.filter((_, i) => i !== place), at: at >= place ? at - 1 : at };
}

/** Ready-made scenarios that would add something: their keys are there, and no scenario has the same. */
export function lackingOf(
  { all }: Scenarios,
  proposed: readonly ProposedScenario[],
  names: readonly string[],
): ProposedScenario[] {
  const sets = new Set(all.map(({ draft }) => [...draft.keys].sort().join("\n")));
  return proposed.filter(
    ({ keys }) => keys.every((key) => names.includes(key)) && !sets.has([...keys].sort().join("\n")),
  );
}

/** What is wrong with the name of the scenario in hand; null if nothing is. */
export function nameFault({ all, at }: Scenarios): string | null {
  const { name } = all[at]!.draft;
  if (!name.trim()) return words.needName;
  return all.some((each, i) => i !== at && each.draft.name === name) ? words.nameTaken : null;
}

/** Why the list cannot be measured yet; null if it can. */
export function faultOf({ all }: Scenarios): string | null {
  for (let at = 0; at < all.length; at += 1) {
    const fault = nameFault({ all, at });
    if (fault) return fault;
  }
  const bare = all.find((each) => !each.draft.keys.length);
  if (!bare) return null;
  return all.length > 1 ? words.needKeysIn(bare.draft.name) : texts.scenario.needKeys;
}

/** What is sent: all scenarios, and which have a new name. */
export function requestOf({ all }: Scenarios): ScenarioListInput {
  const renamed = all.filter((each) => each.origin !== null && each.origin !== each.draft.name);
  return {
    scenarios: all.map((each) => scenarioOf(each.draft)),
    renamed: Object.fromEntries(renamed.map((each) => [each.origin!, each.draft.name])),
  };
}

function freeName(all: readonly Listed[], wanted: string): string {
  const taken = new Set(all.map((each) => each.draft.name));
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted} ${number}`)) number += 1;
  return `${wanted} ${number}`;
}
