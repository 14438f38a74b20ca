/** Shapes of a table before and after: how each cell changed, and how strongly that is tinted. */

import { ENOUGH } from "../api";

/** In what a change is told: of the whole table, or of the cell itself. */
export type Measure = "points" | "relative";

type Shares = readonly (readonly number[])[];

/** How much each cell changed; null where there is nothing, or too few records for a share of it. */
export function changesOf(
  before: Shares,
  after: Shares,
  measure: Measure,
  records: readonly (readonly number[])[],
): (number | null)[][] {
  return before.map((row, i) =>
    row.map((old, j) => {
      const change = after[i]![j]! - old;
      if (measure === "points") return old || change ? change : null;
      return old > 0 && records[i]![j]! >= ENOUGH ? change / old : null;
    }),
  );
}

const PALE = 0.001; // a tenth of a percentage point, and 10 %: less does not get the full tint
const PALE_RELATIVE = 0.1;

/** The change that has the full tint. */
export function strongest(changes: readonly (readonly (number | null)[])[], measure: Measure): number {
  const sizes = changes.flat().map((each) => Math.abs(each ?? 0));
  return Math.max(measure === "points" ? PALE : PALE_RELATIVE, ...sizes);
}

/** How strongly a change is tinted, from 0 to 1; by root, so that small changes can be seen. */
export function tint(change: number | null, most: number): number {
  return change ? Math.sqrt(Math.min(1, Math.abs(change) / most)) : 0;
}

/** A text in so much room, at about `wide` pixels a character. */
export function shorten(text: string, room: number, wide = 6.6): string {
  const most = Math.max(2, Math.floor(room / wide));
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

/** The widest of some texts in pixels, between two bounds. */
export function widthOf(names: readonly string[], least: number, most: number, wide = 6.6): number {
  const longest = Math.max(0, ...names.map((each) => each.length));
  return Math.min(most, Math.max(least, Math.ceil(longest * wide)));
}
