import { beforeEach, describe, expect, it } from "vitest";
import type { KeyLadder, ProposalFigures, StudySummary } from "../src/api";
import { inOrder, nextPoint, shareAxis } from "../src/charts/frontier";
import { draftOf, readWidths, requestOf, rulesOf, START, toggled, withLadder } from "../src/steps/propose/draft";
import { sentence } from "../src/steps/propose/Result";
import { shownRungs } from "../src/steps/propose/Rungs";

const rung = (words: string, categories: number) => ({ words, source: words, categories, loss: 1 / categories });
const age: KeyLadder = {
  key: "age",
  label: "",
  categories: 99,
  numeric: true,
  counted: false,
  rungs: [rung("bins of 5", 20), rung("bins of 10", 10)],
};
const hsize: KeyLadder = { ...age, key: "hsize", counted: true, rungs: [] };
const now = {
  limit: 0.02,
  limits: {},
  household_limit: 0.1,
  household_limits: {},
  policy: { record_risk: 0.01, k: 3, household_risk: null, rate: null },
  scenarios: [{ name: "main", household: "" }],
} as unknown as StudySummary;

describe("what is asked", () => {
  it("begins with the chosen limit and the policy", () => {
    expect(rulesOf(START, now)).toMatchObject({ record_risk: 0.02, k: 3 });
    expect(rulesOf(START, { ...now, limit: null }).record_risk).toBe(0.01);
    expect("household_risk" in rulesOf(START, now)).toBe(false);
    const households = { ...now, scenarios: [{ household: "hid" }] } as unknown as StudySummary;
    expect(rulesOf(START, households).household_risk).toBe(0.1);
  });

  it("has what was typed instead, and no rule that was emptied", () => {
    const typed = { ...START, rules: { record_risk: 0.5, k: null } };
    const rules = rulesOf(typed, now);
    expect(rules.record_risk).toBe(0.5);
    expect("k" in rules).toBe(false);
  });

  it("is about keys that are there and may be touched", () => {
    const wish = {
      ...START,
      spare: ["age", "gone", "hsize"],
      utility: { age: 2, gone: 3, hsize: 4 },
      ladders: { age: ["bins of 5"], hsize: [2], gone: [1] },
    };
    const asked = requestOf(wish, now, [age, hsize]);
    expect(asked.spare).toEqual(["age"]);
    expect(asked.utility).toEqual({ age: 2 });
    expect(asked.ladders).toEqual({});
    expect(requestOf({ ...wish, spare: [] }, now, [age, hsize]).ladders).toEqual({ age: ["bins of 5"] });
  });

  it("comes back as it was when the page is loaded again", () => {
    const asked = requestOf({ ...START, touched: 0.1, utility: { age: 2 } }, now, [age]);
    expect(requestOf(draftOf(asked), { ...now, limit: 0.9 }, [age])).toEqual(asked);
  });
});

describe("ladders", () => {
  it("are edited rung by rung, and as suggested again when all are back", () => {
    const one = toggled(undefined, age.rungs, "bins of 5");
    expect(one).toEqual(["bins of 10"]);
    expect(withLadder({}, age, one)).toEqual({ age: ["bins of 10"] });
    const back = toggled(one, age.rungs, "bins of 5");
    expect(withLadder({ age: one, region: [] }, age, back)).toEqual({ region: [] });
    expect(withLadder({ age: one }, age, null)).toEqual({});
    expect(withLadder({}, age, [])).toEqual({ age: [] });
  });

  it("show what is allowed, what is not, and what was added", () => {
    const merged = { groups: { a: ["a", "b"] } };
    const shown = shownRungs(age, ["bins of 10", merged], undefined);
    expect(shown.map((each) => [each.words, each.allowed, each.own])).toEqual([
      ["bins of 5", false, false],
      ["bins of 10", true, false],
      ["merged by hand", true, true],
    ]);
    expect(shownRungs(age, [5, 20], undefined).map((each) => each.words)).toEqual(["bins of 5", "bins of 20"]);
  });

  it("take widths of which each is a multiple of the one before", () => {
    expect(readWidths("5, 10, 20")).toEqual([5, 10, 20]);
    expect(readWidths("0.5 1.5")).toEqual([0.5, 1.5]);
    for (const wrong of ["", "5, 12", "10, 5", "5, 5", "a", "-5", "0"]) expect(readWidths(wrong)).toBeNull();
  });
});

const points = [
  { touched: 0.3, loss: 0.05 },
  { touched: 0.01, loss: 0.2 },
  { touched: 0.05, loss: 0.1 },
];

describe("the frontier", () => {
  it("is gone through from left to right", () => {
    expect(inOrder(points)).toEqual([1, 2, 0]);
    expect(nextPoint("ArrowRight", 1, points)).toBe(2);
    expect(nextPoint("ArrowLeft", 1, points)).toBe(1);
    expect(nextPoint("End", 1, points)).toBe(0);
    expect(nextPoint("Tab", 1, points)).toBeNull();
  });

  it("has round axes that hold every point", () => {
    expect(shareAxis([0.23]).ticks).toEqual([0, 5, 10, 15, 20, 25]);
    expect(shareAxis([0.0123]).ticks).toEqual([0, 0.5, 1, 1.5]);
    for (const share of [0.001, 0.05, 0.3, 1]) expect(shareAxis([share]).place(share)).toBeLessThanOrEqual(1);
    expect(shareAxis([]).high).toBeGreaterThan(0);
  });
});

describe("what was found", () => {
  const plan = { words: "three recodes and 212 blanks", loss: 0.041, loss_by_uses: null, blanks: 212, touched: 200, recodes: {}, gap: 0 };
  let found: ProposalFigures;
  beforeEach(() => {
    found = {
      proposal: 1,
      asked: { rules: {}, touched: 0.05, spare: [], utility: {}, guarantee: "own", seconds: 30, ladders: {} },
      stale: false,
      records: 5000,
      cap: 250,
      share: 0.05,
      gap: 0,
      bound: 0.041,
      words: "Three recodes and 212 blanks, losing 4.1 % of what the keys tell (proved best).",
      points: [plan],
      best: 0,
      nearest: null,
      named: [],
      failing: [],
      stuck: 0,
      taken: null,
      notes: [],
    };
  });

  it("is what the server says", () => {
    expect(sentence(found)).toEqual([found.words, ""]);
  });

  it("says what more time is good for", () => {
    expect(sentence({ ...found, gap: 0.03 })[1]).toContain("seconds");
  });
});
