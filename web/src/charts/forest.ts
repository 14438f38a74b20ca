/** Coefficients and their confidence intervals on one axis. */

import type { Coefficient } from "../api";

/** A coefficient for one standard deviation of its term, if that is a number, so that all can be seen. */
export function drawnRow(row: Coefficient): Coefficient {
  const { deviation: size } = row;
  if (!size) return row;
  const scale = ([low, high]: readonly [number, number]) => [low * size, high * size] as const;
  return {
    ...row,
    estimate: scale(row.estimate),
    interval: [scale(row.interval[0]), scale(row.interval[1])],
  };
}

export interface LinearScale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  place(value: number): number;
}

/** Round ends around all values and 0, and round ticks between them. */
export function linearScale(values: readonly number[], width: number, wanted = 5): LinearScale {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const rough = (most - least || 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((each) => each * power >= rough * (1 - 1e-9))! * power;
  const [first, last] = [Math.floor(least / step + 1e-9), Math.ceil(most / step - 1e-9)];
  const [low, high] = [first * step, Math.max(last, first + 1) * step];
  return {
    low,
    high,
    ticks: Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) =>
      Number(((first + i) * step).toPrecision(12)),
    ),
    place: (value) => ((value - low) / (high - low)) * width,
  };
}
