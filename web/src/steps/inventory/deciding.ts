/** What is still to be decided, and the steps that decisions are. */

import type { VariableProfile, Scenario, StepInput } from "../../api";
import { matches } from "../open/VariableTable";
import { newSeed } from "../protect/forms";

export type Filter = "open" | "delicate" | "all";
/** What can be done; coarsening is a step with choices of its own, made in Protect. */
export type Way = VariableProfile["ways"][number];
export type Decision = Exclude<Way, "coarsen">;

type Variables = readonly VariableProfile[];

const keeps: Record<Filter, (variable: VariableProfile) => boolean> = {
  open: (each) => each.open,
  delicate: (each) => each.group !== "answer" && each.group !== "in a scenario",
  all: () => true,
};

export function countOf(variables: Variables): Record<Filter | "barred", number> {
  const count = (filter: Filter) => variables.filter(keeps[filter]).length;
  return {
    all: count("all"),
    open: count("open"),
    delicate: count("delicate"),
    barred: variables.filter((each) => each.barred).length,
  };
}

export function listed(variables: Variables, filter: Filter, sought: string): Variables {
  return variables.filter((each) => keeps[filter](each) && matches(each, sought));
}

/** What can be decided about all of them together, the best for the first of them first. */
export function waysFor(variables: Variables): Decision[] {
  const ways = (variables[0]?.ways ?? []).filter((way) => way !== "coarsen");
  return ways.filter((way) => variables.every((each) => each.ways.includes(way)));
}

/** The variables by what they are to a release, in their order. */
export function byGroup(variables: Variables): Map<VariableProfile["group"], Variables> {
  const found = new Map<VariableProfile["group"], VariableProfile[]>();
  for (const each of variables) found.set(each.group, [...(found.get(each.group) ?? []), each]);
  return found;
}

/** The steps by which variables are left out, or get new numbers. */
export function stepsFor(
  way: "drop" | "renumber",
  variables: Variables,
  scenarios: readonly Scenario[],
  why: string,
): StepInput[] {
  if (way === "renumber") {
    return variables.map(({ name }) => ({ do: "renumber", variable: name, seed: newSeed(), why }));
  }
  const names = variables.map((each) => each.name);
  const keys = names.some((name) => scenarios.some((each) => each.keys.includes(name)));
  return [{ do: "drop", variables: names, ...(keys ? { from_keys: true } : {}), why }];
}

/** The reason for a step: as given, or what all of them were recognised as. */
export function reasonFor(variables: Variables, given: string): string {
  if (given.trim()) return given.trim();
  const kinds = new Set(variables.map((each) => each.findings[0]?.kind ?? (each.group === "answer" ? "" : each.group)));
  const [kind = ""] = kinds;
  return kinds.size === 1 && kind ? `by microsafe: ${kind}` : "";
}
