import { describe, expect, it } from "vitest";
import { editsSince, intrudersOf, overridesOf } from "../src/steps/release/PolicyForm";

describe("reasons", () => {
  it("go with their rule, but those for rules that hold always stay", () => {
    const always = { estimator: "as in earlier years", inventory: "our desk", gaps: "answers refused" };
    const override = { k: "on site", rate: "under contract", ...always };
    expect(overridesOf({ k: 3, rate: null, override }).override).toEqual({
      k: "on site",
      ...always,
    });
  });
});

describe("limits of intruders", () => {
  it("are kept beside each other, with the reasons for them", () => {
    const policy = { intruders: { rejoin: 0.05 }, override: { rejoin: "agreed", toy: "gone" } };
    expect(intrudersOf(policy, "toy", 0.1)).toEqual({ rejoin: 0.05, toy: 0.1 });
    expect(intrudersOf(policy, "rejoin", null)).toEqual({});
    expect(overridesOf(policy).override).toEqual({ rejoin: "agreed" });
  });
});

describe("edits of a policy", () => {
  it("stay if they were made after it was sent", () => {
    const sent = { rate: 0.005, k: 3 };
    expect(editsSince(sent, { ...sent })).toEqual({});
    expect(editsSince(sent, { ...sent, rate: 0.004, expected: null })).toEqual({ rate: 0.004, expected: null });
  });
});
