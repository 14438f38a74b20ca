import { beforeEach, describe, expect, it, vi } from "vitest";

const asked = vi.hoisted(() => ({
  routes: [] as string[],
  bodies: [] as unknown[],
  answers: [] as ((well: boolean | object) => void)[],
}));

vi.mock("../src/client", () => {
  class Refusal extends Error {
    readonly problem = { error: "no" };
    readonly stopped = false;
    constructor(readonly status = 422) {
      super();
    }
  }
  const ask = (route: string, { body }: { body?: unknown }) =>
    new Promise((resolve, reject) => {
      asked.routes.push(route);
      asked.bodies.push(body);
      asked.answers.push((well) => {
        if (typeof well === "object") "status" in well ? reject(new Refusal(well.status as number)) : resolve(well);
        else if (well) resolve({ route });
        else reject(new Refusal());
      });
    });
  return { ask, Refusal };
});

import { act, hold, idle, isOlder, keepTyped, leftBehind, meetOther, noteTyping, problem, said, study, take } from "../src/state";

const POLICY = "PUT /api/policy";
const RELEASE = "POST /api/release";
const body = (limit: number) => ({ body: { record_risk: limit } }) as never;
const turn = () => new Promise((resolve) => setTimeout(resolve));

describe("what is asked for while something is done", () => {
  beforeEach(() => {
    asked.routes.length = 0;
    asked.bodies.length = 0;
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

  it("is done although that was refused, if the refusal was expected", async () => {
    const first = act(POLICY, body(1), () => true);
    const second = act(RELEASE, body(2));
    await turn();
    asked.answers[0]?.(false);
    expect(await first).toBeNull();
    await turn();
    expect(asked.routes).toEqual([POLICY, RELEASE]);
    asked.answers[1]?.(true);
    expect(await second).toEqual({ route: RELEASE });
  });

  it("builds on what that left", async () => {
    const first = act(POLICY, body(1));
    let limit = 2;
    const second = act(POLICY, () => body(limit));
    await turn();
    limit = 3;
    asked.answers[0]?.(true);
    await first;
    await turn();
    expect(asked.bodies).toEqual([{ record_risk: 1 }, { record_risk: 3 }]);
    asked.answers[1]?.(true);
    await second;
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

  it("leaves behind what answers may already not be about", () => {
    const steps = (revision: number, ...names: string[]) =>
      ({ revision, scenarios: [], plans: [], steps: names.map((step) => ({ step })) }) as never;
    take(steps(20, "recode"));
    meetOther(steps(21, "recode", "suppress"));
    expect(leftBehind.value).toHaveLength(1);
    expect(leftBehind.value[0]).toContain("recode");
    expect(isOlder(steps(20))).toBe(true);
    expect(isOlder(steps(21))).toBe(false);
  });

  it("does not take back what was chosen here and not yet heard of", () => {
    hold("limit", (found) => ({ ...found, limit: 0.02 }));
    take(revision(30));
    expect(study.value?.limit).toBe(0.02);
    hold("limit", null);
    take(revision(31));
    expect(study.value?.limit).toBeUndefined();
  });
});

describe("what another window did", () => {
  it("does not stop what is asked for once it is known, although the same was refused before", async () => {
    const revision = (number: number) => ({ revision: number, scenarios: [], plans: [], steps: [] }) as never;
    asked.routes.length = asked.answers.length = 0;
    take(revision(40));
    noteTyping({ target: { type: "text", closest: () => ({}) } } as never);
    const first = act(POLICY, body(1));
    await turn();
    meetOther(revision(41)); // and the answer is yet to come
    keepTyped();
    const second = act(POLICY, body(1));
    asked.answers[0]!({ status: 412 });
    await turn();
    asked.answers[1]!(revision(41));
    expect(await first).toBeNull();
    await turn();
    expect(asked.routes).toEqual([POLICY, "GET /api/study", POLICY]);
    asked.answers[2]!(true);
    expect(await second).toEqual({ route: POLICY });
  });
});

describe("idle", () => {
  it("differs once something was done", async () => {
    const before = idle();
    const work = act(POLICY, body(9));
    expect(idle()).toBeNull();
    asked.answers.at(-1)!(true);
    await work;
    expect(idle()).not.toBeNull();
    expect(idle()).not.toBe(before);
  });
});
