import { describe, expect, it } from "vitest";
import { editsSince, overridesOf } from "../src/steps/release/PolicyForm";

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

describe("edits of a policy", () => {
  it("stay if they were made after it was sent", () => {
    const sent = { rate: 0.005, k: 3 };
    expect(editsSince(sent, { ...sent })).toEqual({});
    expect(editsSince(sent, { ...sent, rate: 0.004, expected: null })).toEqual({ rate: 0.004, expected: null });
  });
});
