import { describe, expect, it } from "vitest";
import { overridesOf } from "../src/steps/release/PolicyForm";

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
