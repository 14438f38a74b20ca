/** A logarithmic axis: places, ticks, and the steps that keys make on it. */

export interface Domain {
  readonly low: number;
  readonly high: number;
}

export interface Scale extends Domain {
  readonly width: number;
  /** Where a value lies, kept within the axis. */
  place(value: number): number;
  /** The value at a place. */
  value(place: number): number;
}

export function logScale({ low, high }: Domain, width: number): Scale {
  const span = Math.log(high / low) || 1;
  return {
    low,
    high,
    width,
    place: (value) => width * Math.min(1, Math.max(0, Math.log(value / low) / span)),
    value: (place) => low * Math.exp((span * Math.min(width, Math.max(0, place))) / width),
  };
}

/** Powers of ten within the axis; with 2 and 5 where those are few. */
export function ticks({ low, high }: Domain): number[] {
  const steps = high / low < 200 ? [1, 2, 5] : [1];
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const step of steps) {
      const value = Number(`${step}e${power}`);
      if (value >= low && value <= high) found.push(value);
    }
  }
  return found;
}

/** A value of few digits near the given one, so that a dragged limit can be read and retyped. */
export function rounded(value: number, digits = 3): number {
  return Number(value.toPrecision(digits));
}

/** The value one unit of the second digit away: what an arrow key does. */
export function nudged(value: number, direction: 1 | -1): number {
  const power = Math.floor(Math.log10(value) + 1e-12);
  const unit = 10 ** (power - 1);
  const mantissa = value / unit;
  // Downward from 0.010 the next value is 0.0099, not 0.009.
  const finer = direction < 0 && mantissa <= 10 + 1e-9;
  const grain = finer ? unit / 10 : unit;
  const count = value / grain;
  const next = direction > 0 ? Math.floor(count + 1e-9) + 1 : Math.ceil(count - 1e-9) - 1;
  return Number((next * grain).toPrecision(2));
}

/** The next of 1, 2, 5, 10, ... above or below: what Page Up and Page Down do. */
export function leapt(value: number, direction: 1 | -1): number {
  const power = Math.floor(Math.log10(value));
  const candidates = [power - 1, power, power + 1].flatMap((p) =>
    [1, 2, 5].map((step) => Number(`${step}e${p}`)),
  );
  const slack = value * 1e-9;
  return direction > 0
    ? candidates.find((each) => each > value + slack)!
    : candidates.findLast((each) => each < value - slack)!;
}

/** A round number of at least `value`, and round steps up to it, for a linear axis of counts. */
export function countTicks(largest: number, wanted = 5): number[] {
  if (largest <= 0) return [0, 1];
  const rough = largest / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].find((each) => each * power >= rough)! * power);
  const found: number[] = [];
  for (let tick = 0; tick < largest + step; tick += step) found.push(tick);
  return found;
}
