/**
 * What a limit means, by binary search in the exceedance curve.
 *
 * The curve is sent once; moving the limit asks nothing of the server. The rules are those of
 * `microsafe.risk.limit`: unsafe is a risk above the limit, and after protection the expected
 * re-identifications are at most Σ(risks up to it) + limit × (records above it).
 */

import { readNumber } from "./numbers";

export interface Curve {
  /** Distinct risks, rising. */
  readonly risk: Float64Array;
  /** Records with that risk or less. */
  readonly upTo: Float64Array;
  /** Sum of their risks. */
  readonly sumUpTo: Float64Array;
  /** The bound at each risk; it rises with the risk. */
  readonly bound: Float64Array;
  readonly records: number;
  /** Whether every distinct risk is there; otherwise figures between points are approximate. */
  readonly exact: boolean;
}

export interface Limit {
  readonly limit: number;
  /** Records above it. */
  readonly unsafe: number;
  /** Most re-identifications to be expected once no record is above it. */
  readonly expected: number;
  /** The same as a share of the records. */
  readonly rate: number;
}

export type Target = "risk" | "rate" | "expected" | "unsafe";

export function curveOf(
  risk: readonly number[],
  upTo: readonly number[],
  sumUpTo: readonly number[],
  exact: boolean,
): Curve {
  const records = upTo.at(-1) ?? 0;
  const bound = risk.map((r, i) => sumUpTo[i]! + r * (records - upTo[i]!));
  return {
    risk: Float64Array.from(risk),
    upTo: Float64Array.from(upTo),
    sumUpTo: Float64Array.from(sumUpTo),
    bound: Float64Array.from(bound),
    records,
    exact,
  };
}

/** How many of the rising values, as a share of `per`, are at most `value`. */
export function countUpTo(values: Float64Array, value: number, per = 1): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! / per <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function limitAt(curve: Curve, limit: number): Limit {
  const place = countUpTo(curve.risk, limit);
  const safe = place ? curve.upTo[place - 1]! : 0;
  const below = place ? curve.sumUpTo[place - 1]! : 0;
  const unsafe = curve.records - safe;
  const expected = below + limit * unsafe;
  return { limit, unsafe, expected, rate: curve.records ? expected / curve.records : 0 };
}

/** Whether the curve tells a limit's figures exactly: a thinned one does at its points and at 10^(i/200). */
export function exactAt(curve: Curve, limit: number): boolean {
  if (curve.exact) return true;
  const place = countUpTo(curve.risk, limit);
  if (place === 0 || place === curve.risk.length) return true;
  const step = 200 * Math.log10(limit);
  return curve.risk[place - 1] === limit || Math.abs(step - Math.round(step)) < 1e-9;
}

/** How many are above a risk. */
export function recordsAbove(curve: Curve, risk: number): number {
  return limitAt(curve, risk).unsafe;
}

/** The limit that meets one of four targets. */
export function chosen(curve: Curve, target: Target, value: number): Limit {
  switch (target) {
    case "risk":
      return limitAt(curve, value);
    case "expected":
      return limitAt(curve, byBound(curve, value));
    case "rate":
      return limitAt(curve, byBound(curve, value, curve.records));
    case "unsafe":
      return limitAt(curve, byUnsafe(curve, value));
  }
}

/** Largest observed risk whose bound is tolerable; below all risks if there is none. */
function byBound(curve: Curve, tolerable: number, per = 1): number {
  const place = countUpTo(curve.bound, tolerable, per);
  if (place) return curve.risk[place - 1]!;
  return curve.records ? (tolerable * per) / curve.records : 0;
}

/** Lowest observed risk with no more than `most` records above it. */
function byUnsafe(curve: Curve, most: number): number {
  const safe = curve.records - most;
  let low = 0;
  let high = curve.risk.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (curve.upTo[middle]! >= safe) high = middle;
    else low = middle + 1;
  }
  return curve.risk[low] ?? 0;
}

/** Whether a text is a number that the target allows; the number if it is. */
export function readTarget(target: Target, text: string): number | null {
  const value = readNumber(text);
  if (value === null || value < 0) return null;
  if ((target === "risk" || target === "rate") && value > 1) return null;
  return target === "unsafe" ? Math.floor(value) : value;
}
