import { beforeEach, describe, expect, it, vi } from "vitest";

const asked = vi.hoisted(() => ({ bodies: [] as object[], answers: [] as (() => void)[] }));

vi.mock("../src/client", () => {
  class Refusal extends Error {}
  const ask = (_: string, { body }: { body: { risk?: number; rate?: number } }) =>
    new Promise((resolve) => {
      asked.bodies.push(body);
      asked.answers.push(() => resolve({ limit: body.risk ?? 0.03, unsafe: 1, expected: 1, rate: 1 }));
    });
  return { ask, Refusal };
});

import { aim, follow, limit, measured, moves, resting } from "../src/choice";
import { study, take } from "../src/state";

const turn = () => new Promise((resolve) => setTimeout(resolve));
const main = { name: "main", household: null };
const known = (limit: number | null, revision = 1, limits = {}) =>
  ({ revision, limit, limits, scenarios: [main], plans: [], steps: [] }) as never;
const figures = {
  scenario: "main",
  max: 0.5,
  curve: { risk: [0.001, 0.01, 0.05, 0.5], up_to: [5, 7, 9, 10], sum_up_to: [0.005, 0.02, 0.1, 0.6], exact: true },
  household: null,
  other: null,
} as never;

describe("a limit that was typed", () => {
  beforeEach(async () => {
    while (asked.answers.length) {
      asked.answers.shift()!();
      await turn();
    }
    asked.bodies.length = 0;
    take(known(0.01));
    measured(figures);
    aim("risk", 0.01);
    await turn();
    asked.answers.shift()!();
    await turn();
    asked.bodies.length = 0;
  });

  it("is in force at once", () => {
    aim("risk", 0.02);
    expect(study.value?.limit).toBe(0.02);
  });

  it("is not taken back by an answer from before the server heard of it", async () => {
    aim("risk", 0.02);
    take(known(0.01, 2));
    expect(study.value?.limit).toBe(0.02);
    asked.answers.shift()!();
    await turn();
    take(known(0.04, 3));
    expect(study.value?.limit).toBe(0.04);
  });

  it("is heard of in the order of typing, and the last one holds", async () => {
    for (const value of [0.02, 0.03, 0.04]) aim("risk", value);
    await turn();
    asked.answers.shift()!();
    await turn();
    expect(asked.bodies).toEqual([
      { scenario: "main", risk: 0.02 },
      { scenario: "main", risk: 0.04 },
    ]);
    expect(limit.value).toBe(0.04);
    expect(resting()).toBeNull();
    asked.answers.shift()!();
    await turn();
    expect(limit.value).toBe(0.04);
    expect(resting()).not.toBeNull();
  });

  it("gives way to a move that came after it, although it had to wait", async () => {
    aim("risk", 0.02);
    aim("risk", 0.03);
    moves.move(0.04); // and does not rest yet
    for (let answered = 0; answered < 2; answered += 1) {
      await turn();
      asked.answers.shift()!();
    }
    await turn();
    expect(limit.value).toBe(0.04);
  });

  it("follows another window, to the limit of the scenario in hand", () => {
    take(known(0.01, 2, { main: 0.05 }));
    follow(known(0.3, 2, { main: 0.04 }));
    expect(limit.value).toBe(0.04);
    expect(study.value?.limits).toEqual({ main: 0.04 });
    expect(study.value?.limit).toBe(0.01);
  });
});
