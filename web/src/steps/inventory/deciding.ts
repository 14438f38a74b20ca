/** What is still to be decided, and the steps that decisions are. */

import type { InventoryRow, Scenario, StepInput } from "../../api";
import { matches } from "../open/VariableTable";
import { newSeed } from "../protect/forms";

export type Filter = "open" | "delicate" | "all";
export type Way = InventoryRow["ways"][number];

type Variables = readonly InventoryRow[];

const keeps: Record<Filter, (variable: InventoryRow) => boolean> = {
  open: (each) => each.open,
  delicate: (each) => each.findings.length > 0,
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
export function waysFor(variables: Variables): Way[] {
  return (variables[0]?.ways ?? []).filter((way) => variables.every((each) => each.ways.includes(way)));
}

/** The steps by which variables are left out, or get new numbers. */
export function stepsFor(
  way: Exclude<Way, "keep">,
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
  const kinds = new Set(variables.map((each) => each.findings[0]?.kind ?? ""));
  const [kind = ""] = kinds;
  return kinds.size === 1 && kind ? `${kind[0]!.toUpperCase()}${kind.slice(1)}` : "";
}
