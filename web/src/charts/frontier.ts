/** Where the points of a frontier lie, and how to go from one to the next. */

export interface FrontierPoint {
  /** Share of the records that lose a value. */
  readonly touched: number;
  /** Share of what the keys tell that is lost. */
  readonly loss: number;
}

export interface Axis {
  readonly high: number;
  readonly ticks: readonly number[];
  /** Where a share lies, from 0 to 1. */
  place(share: number): number;
}

/** A linear axis from 0 to a round per cent above the largest share. */
export function shareAxis(shares: readonly number[], wanted = 5): Axis {
  const largest = Math.max(...shares, 0.001) * 100;
  const rough = largest / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((each) => each * power >= rough)! * power;
  const last = Math.ceil(largest / step - 1e-9);
  const ticks = Array.from({ length: last + 1 }, (_, i) => Number((i * step).toPrecision(12)));
  const high = (last * step) / 100;
  return { high, ticks, place: (share) => share / high };
}

/** Points from left to right, as places in the list that was given. */
export function inOrder(points: readonly FrontierPoint[]): number[] {
  return points
    .map((_, i) => i)
    .sort((a, b) => points[a]!.touched - points[b]!.touched || points[b]!.loss - points[a]!.loss);
}

/** The point that a key goes to, or null if it goes nowhere. */
export function nextPoint(key: string, at: number, points: readonly FrontierPoint[]): number | null {
  const order = inOrder(points);
  const place = order.indexOf(at);
  const to = {
    ArrowRight: place + 1,
    ArrowDown: place + 1,
    ArrowLeft: place - 1,
    ArrowUp: place - 1,
    Home: 0,
    End: order.length - 1,
  }[key];
  return to === undefined ? null : (order[Math.min(order.length - 1, Math.max(0, to))] ?? null);
}
