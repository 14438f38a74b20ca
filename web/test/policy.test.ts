import { describe, expect, it } from "vitest";
import { overridesOf } from "../src/steps/release/PolicyForm";

describe("reasons", () => {
  it("go with their rule, but the one for the estimator stays", () => {
    const override = { k: "on site", rate: "under contract", estimator: "as in earlier years" };
    expect(overridesOf({ k: 3, rate: null, override }).override).toEqual({
      k: "on site",
      estimator: "as in earlier years",
    });
  });
});
