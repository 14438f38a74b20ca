/** What is drawn of counts of which some are masked. */

import type { ExploredCount } from "../../api";

export const LEAST = 3; // records of a count that is not masked; the server masks

export type Moment = "before" | "now";
export type Counting = "weighted" | "plain";

/** Share of each count, by weight or by records; null where it is masked. */
export function sharesOf(counts: readonly ExploredCount[], records: number, counting: Counting): (number | null)[] {
  return counts.map((each) => {
    if (each.records === null) return null;
    return counting === "weighted" ? each.weighted : records ? each.records / records : 0;
  });
}

/** How many counts are masked. */
export function maskedIn(counts: readonly (number | null)[]): number {
  return counts.filter((each) => each === null).length;
}

/** Share of its row that each cell is; null where it or the total of the row is masked. */
export function rowShares(
  counts: readonly (readonly (number | null)[])[],
  totals: readonly (number | null)[],
): (number | null)[][] {
  return counts.map((row, i) => {
    const total = totals[i];
    return row.map((each) => (each === null || !total ? null : each / total));
  });
}

/** How strongly a cell is tinted, in per cent: by its share against the largest. */
export function tintOf(share: number | null, largest: number): number {
  return share && largest > 0 ? Math.round(40 * Math.sqrt(share / largest)) : 0;
}
