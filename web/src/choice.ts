/** The limit being chosen: moved in the picture, typed in a field, made exact by the server. */

import { batch, computed, signal } from "@preact/signals";
import type { CurvePoints, LimitFigures, RiskFigures, StudySummary } from "./api";
import { ask, Refusal } from "./client";
import { chosen, curveOf, limitAt, recordsAbove, type Curve, type Limit, type Target } from "./limit";
import { limitOf, usualLimit, withLimit } from "./limits";
import { hold, problem, study } from "./state";
import { inTurn } from "./turns";

export const limit = signal(usualLimit(null));
export const curve = signal<Curve | null>(null);
const households = signal<Curve | null>(null);
const other = signal<Curve | null>(null);
const exact = signal<LimitFigures | null>(null);
let scenario = "main";

export function pointsCurve(points: CurvePoints): Curve {
  return curveOf(points.risk, points.up_to, points.sum_up_to, points.exact);
}

/** What the limit means now. */
export const meaning = computed<Limit>(() => {
  const known = exact.value;
  if (known) return known;
  return curve.value
    ? limitAt(curve.value, limit.value)
    : { limit: limit.value, unsafe: 0, expected: 0, rate: 0 };
});

/** Households above the limit; null where there are none. */
export const unsafeHouseholds = computed(() => {
  if (exact.value) return exact.value.households;
  return households.value ? recordsAbove(households.value, limit.value) : null;
});

/** Records above the limit by the other estimator; null where only one was used. */
export const unsafeByOther = computed(() => {
  if (exact.value) return exact.value.other;
  return other.value ? recordsAbove(other.value, limit.value) : null;
});

/** Whether figures are read from a thinned curve, and may be a little off. */
export const approximate = computed(
  () =>
    exact.value === null &&
    [curve, households, other].some((each) => each.value?.exact === false),
);

/** Show a measurement; the limit in force stays, or starts as is usual for those who get the file. */
export function measured(figures: RiskFigures): void {
  turn += 1;
  batch(() => {
    scenario = figures.scenario;
    curve.value = pointsCurve(figures.curve);
    households.value = figures.household ? pointsCurve(figures.household.curve) : null;
    other.value = figures.other ? pointsCurve(figures.other.curve) : null;
    exact.value = null;
    limit.value = limitOf(study.value, scenario) ?? usualLimit(study.value);
  });
  settle();
}

export const moves = {
  move(value: number): void {
    turn += 1;
    batch(() => {
      exact.value = null;
      limit.value = value;
    });
  },
  rest: () => settle(),
};

/** Say where the limit is by one of four targets: at once from the curve, then exactly from the server. */
export function aim(by: Target, value: number): void {
  if (!curve.value) return;
  moves.move(chosen(curve.value, by, value).limit);
  inForce(limit.value);
  void setTarget(by, value);
}

/** A number that stays the same while nothing moves here; null while something does. */
export function resting(): number | null {
  return settling.peek() ? null : turn;
}

/** Go where another window put the limit. */
export function follow(found: StudySummary): void {
  const value = limitOf(found, scenario);
  if (value === null || !study.value || limitOf(study.value, scenario) === value) return;
  turn += 1;
  batch(() => {
    exact.value = null;
    limit.value = value;
    study.value = withLimit(study.value!, scenario, value);
  });
}

const PATIENCE = 200; // milliseconds: keys come one after the other
let timer: ReturnType<typeof setTimeout> | undefined;

/** Rises with every move: an answer that comes after a further one is out of date. */
let turn = 0;

/** Whether the server has yet to say what the limit means exactly. */
export const settling = signal(false);

/** The limit is in force at once; its exact figures come when it has rested for a moment. */
function settle(): void {
  inForce(limit.value);
  clearTimeout(timer);
  settling.value = true;
  timer = setTimeout(() => void setTarget("risk", limit.value), PATIENCE);
}

/** Take the limit for that of the study, also in answers of a server that has yet to hear of it. */
function inForce(value: number): void {
  const name = scenario;
  hold("limit", (found) => (found.scenarios.some((each) => each.name === name) ? withLimit(found, name, value) : found));
}

/** Ask the server for the exact limit that one of the four fields leads to, and have it remembered. */
async function setTarget(by: Target, value: number): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  settling.value = true;
  await tell({ of: scenario, by, value, turn });
  if (timer !== undefined) return;
  hold("limit", null);
  settling.value = false;
}

interface Wish {
  readonly of: string;
  readonly by: Target;
  readonly value: number;
  /** When it was made: it may wait, and the limit may move meanwhile. */
  readonly turn: number;
}

const tell = inTurn<Wish>(async ({ of, by, value, turn: made }, isLast) => {
  try {
    const found = await ask("POST /api/limit", { body: { scenario: of, [by]: value } });
    if (made !== turn || !isLast()) return;
    batch(() => {
      exact.value = found;
      limit.value = found.limit;
      inForce(found.limit);
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!error.stopped) problem.value = error.problem;
  }
});
