import { describe, expect, it } from "vitest";
import type { Scenario, StudySummary, Suppress } from "../src/api";
import { householdLimits, limitFor, limitOf, recordLimits, withHouseholdLimit, withLimit } from "../src/limits";
import { householdsOf } from "../src/steps/release/PolicyForm";
import { lacking, startDraft, suppressStep, toggleLink, type SuppressDraft } from "../src/steps/protect/suppression";
import { emptyDraft } from "../src/steps/scenario/draft";

const main: Scenario = { ...emptyDraft("main"), keys: ["age", "sex"], weight: "w", household: "hh" };
const register: Scenario = { ...emptyDraft("register"), keys: ["age", "region"], weight: "w" };
const scenarios = [main, register];
const study = {
  scenarios,
  limit: 0.02,
  limits: {},
  household_limit: 0.1,
  household_limits: {},
  names: ["age", "sex", "region", "born"],
  roles: { costs: {}, linked: {}, levels: {} },
  policy: { record_risk: null, household_risk: null, k: null },
} as unknown as StudySummary;
const start = startDraft(study);

describe("limits", () => {
  it("are one for all unless a scenario has its own", () => {
    expect(recordLimits(study)).toBe(0.02);
    const own = { ...study, limits: { register: 0.01 } };
    expect(recordLimits(own)).toEqual({ main: 0.02, register: 0.01 });
    expect(limitOf(own, "register")).toBe(0.01);
    expect(limitFor(0.5, "main")).toBe(0.5);
    expect(limitFor({ main: 0.5 }, "register")).toBeNull();
  });

  it("move where they are", () => {
    const own = { ...study, limits: { register: 0.01 } };
    expect(withLimit(own, "main", 0.3).limit).toBe(0.3);
    expect(withLimit(own, "register", 0.3).limits).toEqual({ register: 0.3 });
    expect(withLimit(own, "register", 0.3).limit).toBe(0.02);
    expect(withHouseholdLimit(own, "register", 0.3).household_limits).toEqual({ register: 0.3 });
    expect(withHouseholdLimit(own, "main", 0.3).household_limit).toBe(0.3);
  });

  it("on households are for scenarios that have them", () => {
    expect(householdLimits(study)).toEqual({ main: 0.1 });
    expect(householdLimits({ ...study, scenarios: [main] })).toBe(0.1);
    expect(householdsOf({ household_risk: 0.1 }, scenarios).household_risk).toEqual({ main: 0.1 });
    expect(householdsOf({ household_risk: 0.1 }, [main]).household_risk).toBe(0.1);
  });
});

describe("a suppression", () => {
  it("can be said in every word that it has", () => {
    // The type lacks no field of the step: a new one is missed here and in `suppressStep`.
    const risk: SuppressDraft = {
      ...start,
      by: "both",
      above: { main: 0.05, register: 0.01 },
      k: { main: 3 },
      people: true,
      combine: "size",
      upTo: 3,
      household: { main: 0.2 },
      joint: true,
      costKind: "own",
      costs: { age: 2 },
      byValue: true,
      spare: ["sex"],
      linked: { age: ["born"] },
      without: ["register"],
    };
    const full: Required<Omit<Suppress, "why">> = {
      do: "suppress",
      above: { main: 0.05 },
      k: { main: 3 },
      guarantee: "own",
      cost: { age: 2 },
      spare: ["sex"],
      scenarios: ["main"],
      linked: { age: ["born"] },
      household: { main: 0.2 },
      up_to: 3,
      levels: {},
      people: true,
      together: true,
      by_value: true,
      joint: true,
      seed: null,
    };
    expect(suppressStep(risk, scenarios)).toEqual(full);
    const levels = suppressStep({ ...start, by: "k", combine: "levels", levels: { age: 1 }, together: false }, scenarios);
    expect(levels).toMatchObject({ k: 3, above: null, levels: { age: 1 }, up_to: null, together: false });
    expect(suppressStep({ ...start, costKind: "entropy" }, scenarios).cost).toBe("entropy");
    expect(suppressStep({ ...start, guarantee: "strict" }, scenarios).guarantee).toBe("strict");
  });

  it("asks of households only where there are some, and nothing that its guarantee cannot promise", () => {
    expect(suppressStep(start, scenarios)).toMatchObject({ above: 0.02, household: { main: 0.1 } });
    expect(suppressStep({ ...start, household: 0.3 }, [main]).household).toBe(0.3);
    const shared = { ...start, guarantee: "shared" as const, joint: true, byValue: true };
    expect(suppressStep(shared, scenarios)).toMatchObject({ household: null, joint: false, by_value: false });
    expect(suppressStep({ ...start, guarantee: "strict", joint: true }, scenarios).joint).toBe(false);
    expect(suppressStep({ ...start, by: "homes" }, scenarios)).toMatchObject({ above: null, k: null });
  });

  it("begins with what was said of keys", () => {
    const roles = { costs: { age: 2, other: 3 }, linked: { age: ["born", "gone"], sex: ["gone"] }, levels: { age: 1 } };
    const told = startDraft({ ...study, roles } as unknown as StudySummary);
    expect(told).toMatchObject({ costKind: "own", costs: { age: 2 }, levels: { age: 1 }, linked: { age: ["born"] } });
    expect(told.linked).not.toHaveProperty("sex");
  });

  it("says what is lacking", () => {
    expect(lacking(start, scenarios)).toBeNull();
    expect(lacking({ ...start, without: ["main", "register"] }, scenarios)).toContain("scenario");
    expect(lacking({ ...start, by: "homes", household: null }, scenarios)).toContain("limit");
    expect(lacking({ ...start, above: {}, household: null }, scenarios)).toContain("limit");
    expect(lacking({ ...start, spare: ["age", "sex", "region"] }, scenarios)).toContain("spared");
    expect(lacking({ ...start, by: "k", combine: "levels" }, scenarios)).toContain("level");
  });

  it("links variables to keys, and unlinks them", () => {
    const one = toggleLink({}, "age", "born");
    expect(toggleLink(one, "age", "cohort")).toEqual({ age: ["born", "cohort"] });
    expect(toggleLink(one, "age", "born")).toEqual({});
  });
});
