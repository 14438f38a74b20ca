import { beforeEach, describe, expect, it, vi } from "vitest";

const asked = vi.hoisted(() => ({ routes: [] as string[], answers: [] as ((well: boolean) => void)[] }));

vi.mock("../src/client", () => {
  class Refusal extends Error {
    readonly problem = { error: "no" };
    readonly stopped = false;
  }
  const ask = (route: string) =>
    new Promise((resolve, reject) => {
      asked.routes.push(route);
      asked.answers.push((well) => (well ? resolve({ route }) : reject(new Refusal())));
    });
  return { ask, Refusal };
});

import { act, meetOther, problem, said, study, take } from "../src/state";

const POLICY = "PUT /api/policy";
const RELEASE = "POST /api/release";
const body = (limit: number) => ({ body: { record_risk: limit } }) as never;
const turn = () => new Promise((resolve) => setTimeout(resolve));

describe("what is asked for while something is done", () => {
  beforeEach(() => {
    asked.routes.length = 0;
    asked.answers.length = 0;
  });

  it("waits its turn", async () => {
    const first = act(POLICY, body(1));
    const second = act(RELEASE, body(2));
    await turn();
    expect(asked.routes).toEqual([POLICY]);
    asked.answers[0]?.(true);
    await first;
    await turn();
    expect(asked.routes).toEqual([POLICY, RELEASE]);
    asked.answers[1]?.(true);
    expect(await second).toEqual({ route: RELEASE });
  });

  it("is dropped if that is refused, and the reason stays on the page", async () => {
    const first = act(POLICY, body(1));
    const second = act(RELEASE, body(2));
    await turn();
    asked.answers[0]?.(false);
    expect(await first).toBeNull();
    expect(await second).toBeNull();
    expect(asked.routes).toEqual([POLICY]);
    expect(problem.value).toEqual({ error: "no" });
  });

  it("counts once if it is the same", async () => {
    const first = act(POLICY, body(1));
    expect(await act(POLICY, body(1))).toBeNull();
    asked.answers[0]?.(true);
    expect(await first).toEqual({ route: POLICY });
    expect(asked.routes).toEqual([POLICY]);
  });
});

describe("a look at the study", () => {
  const revision = (number: number) => ({ revision: number, scenarios: [], plans: [], steps: [] }) as never;

  it("is taken over if another window changed it", () => {
    take(revision(3));
    meetOther(revision(4));
    expect(study.value?.revision).toBe(4);
  });

  it("is of no use if this window changed it since", () => {
    take(revision(8));
    said.value = "Saved.";
    meetOther(revision(7));
    expect(study.value?.revision).toBe(8);
    expect(said.value).toBe("Saved.");
  });
});
