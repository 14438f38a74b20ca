/** What may be named as a table or a model, and why not. */

import type { Scenario, Uses, VariableProfile } from "../../api";
import { texts } from "../../texts";

const words = texts.uses;
const MOST_CATEGORIES = 200; // of a variable in a table or a model
const PRIVATE: readonly string[] = ["identifier", "household", "weight"];

export const NO_USES: Uses = { variables: {}, others: 1, tables: [], models: [] };

/** A table that is named: one variable, or two. */
export type Table = readonly [string] | readonly [string, string];

/** Variables that an analyst would use: none that tell people apart, none that are gone. */
export function usable(
  variables: readonly VariableProfile[],
  scenarios: readonly Scenario[],
  names: readonly string[],
): readonly VariableProfile[] {
  const fixed = scenarios.flatMap((each) => [each.weight, each.household]);
  return variables.filter(
    ({ name, role }) => !PRIVATE.includes(role) && !fixed.includes(name) && names.includes(name),
  );
}

/** Those of so few categories that a table can be read. */
export function forTables(variables: readonly VariableProfile[]): readonly VariableProfile[] {
  return variables.filter(({ distinct }) => distinct <= MOST_CATEGORIES);
}

/** Those that can be a term: numbers, and what has few categories. */
export function forTerms(variables: readonly VariableProfile[]): readonly VariableProfile[] {
  return variables.filter(({ numeric, distinct }) => numeric || distinct <= MOST_CATEGORIES);
}

/** Tables that are named: variables that matter by themselves first. */
export function tablesOf(uses: Uses | null): readonly Table[] {
  if (!uses) return [];
  return [
    ...Object.keys(uses.variables).map((name) => [name] as const),
    ...uses.tables.filter(({ of }) => of.length === 2).map(({ of }) => [of[0]!, of[1]!] as const),
  ];
}

const same = (one: Table, other: Table) => [...one].sort().join("\n") === [...other].sort().join("\n");

/** Why a table cannot be added; null if it can. */
export function tableFault(uses: Uses | null, rows: string, columns: string): string | null {
  if (!rows) return words.chooseRows;
  if (rows === columns) return words.twice;
  const table: Table = columns ? [rows, columns] : [rows];
  return tablesOf(uses).some((each) => same(each, table)) ? words.tableThere : null;
}

/** Uses with one more table. */
export function withTable(uses: Uses | null, rows: string, columns: string): Uses {
  const now = uses ?? NO_USES;
  if (!columns) return { ...now, variables: { ...now.variables, [rows]: 1 } };
  return { ...now, tables: [...now.tables, { of: [rows, columns], weight: 1 }] };
}

/** Uses without a table. */
export function withoutTable(uses: Uses, table: Table): Uses {
  if (table.length === 2) {
    return { ...uses, tables: uses.tables.filter(({ of }) => of.length !== 2 || !same([of[0]!, of[1]!], table)) };
  }
  const { [table[0]]: _, ...variables } = uses.variables;
  return { ...uses, variables };
}

/** Uses without a model. */
export function withoutModel(uses: Uses, formula: string): Uses {
  return { ...uses, models: uses.models.filter((each) => each.formula !== formula) };
}

/** How much each use that is named matters, by its name. */
export function weightsOf(uses: Uses): Readonly<Record<string, number>> {
  return Object.fromEntries([
    ...Object.entries(uses.variables),
    ...uses.tables.map(({ of, weight }) => [of.join(" × "), weight] as const),
    ...uses.models.map(({ formula, weight }) => [formula, weight] as const),
  ]);
}

/** Uses with other weights. */
export function withWeights(uses: Uses, weights: Readonly<Record<string, number>>): Uses {
  const weigh = (name: string, old: number) => weights[name] ?? old;
  return {
    ...uses,
    variables: Object.fromEntries(Object.entries(uses.variables).map(([name, old]) => [name, weigh(name, old)])),
    tables: uses.tables.map((each) => ({ ...each, weight: weigh(each.of.join(" × "), each.weight) })),
    models: uses.models.map((each) => ({ ...each, weight: weigh(each.formula, each.weight) })),
  };
}

/** A model that is being put together; the category is empty if the outcome is a number. */
export interface Model {
  readonly outcome: string;
  readonly category: string;
  readonly terms: readonly string[];
}

export const NO_MODEL: Model = { outcome: "", category: "", terms: [] };

/** A model as it is written. */
export function formulaOf({ outcome, category, terms }: Model): string {
  return `${outcome || "…"}${category && ` = ${category}`} ~ ${terms.join(" + ") || "…"}`;
}

/** Why a model cannot be added; null if it can. */
export function modelFault(uses: Uses | null, model: Model): string | null {
  if (!model.outcome) return words.chooseOutcome;
  if (!model.terms.length) return words.chooseTerm;
  const known = (uses?.models ?? []).map((each) => each.formula);
  return known.includes(formulaOf(model)) ? words.modelThere : null;
}

/** Uses with one more model. */
export function withModel(uses: Uses | null, model: Model): Uses {
  const now = uses ?? NO_USES;
  return { ...now, models: [...now.models, { formula: formulaOf(model), weight: 1 }] };
}
