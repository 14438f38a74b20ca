/** Bars and steps drawn from an exceedance curve. */

import { countUpTo, type Curve } from "./limit";
import type { Domain } from "./scale";

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly records: number;
}

/** Bars in a power of ten; a thinned curve is exact at every 10^(i/200), so at all of these. */
const FINENESS = [5, 10, 20, 40, 50, 100, 200];
const ENOUGH = 36;

/** Edges equally far apart on a log axis, from below all risks to above them. */
export function edgesOf(low: number, high: number): number[] {
  const decades = Math.log10(high / low);
  const per = FINENESS.find((each) => decades * each >= ENOUGH) ?? 200;
  const first = Math.floor(Math.log10(low) * per) - 1;
  const last = Math.ceil(Math.log10(high) * per) + 1;
  return Array.from({ length: last - first + 1 }, (_, i) => 10 ** ((first + i) / per));
}

/** Records between the edges: from excluded, to included. */
export function binned(curve: Curve, edges: readonly number[]): Bin[] {
  const upTo = edges.map((edge) => recordsUpTo(curve, edge));
  return edges.slice(1).map((to, i) => ({
    from: edges[i]!,
    to,
    records: upTo[i + 1]! - upTo[i]!,
  }));
}

export function recordsUpTo(curve: Curve, risk: number): number {
  const place = countUpTo(curve.risk, risk);
  return place ? curve.upTo[place - 1]! : 0;
}

export interface Point {
  readonly risk: number;
  readonly above: number;
}

/** Records above each of so many risks: at most as many points as there are pixels. */
export function exceedance(curve: Curve, { low, high }: Domain, points = 400): Point[] {
  const ratio = (high / low) ** (1 / points);
  const found: Point[] = [];
  for (let i = 0; i <= points; i++) {
    const risk = low * ratio ** i;
    const above = curve.records - recordsUpTo(curve, risk);
    const last = found.at(-1);
    if (!last || last.above !== above || i === points) found.push({ risk, above });
  }
  return found;
}
