import { describe, expect, it } from "vitest";
import type { Scenario, StepField, StepKind, VariableInfo } from "../src/api";
import { fits, newSeed, otherKinds, startValues, stepFrom } from "../src/steps/protect/forms";

const field = (name: string, more: Partial<StepField>): StepField => ({
  name,
  control: "text",
  label: name,
  help: "",
  choices: {},
  numeric: false,
  changed: true,
  required: false,
  default: null,
  ...more,
});
const kind: StepKind = {
  do: "sample",
  title: "Sample",
  help: "",
  term: "sample",
  meaning: "",
  place: "first",
  touches: ["weight", "other"],
  fields: [
    field("fraction", { control: "number", required: true }),
    field("seed", { control: "seed", required: true }),
    field("household", { control: "variable", changed: false }),
    field("weight", { default: "weight" }),
  ],
};
const scenario = { keys: ["age"], weight: "w", household: "hh" } as unknown as Scenario;
const variable = (name: string): VariableInfo => ({ name, kind: "text" }) as VariableInfo;

describe("a form made from a description", () => {
  it("is for kinds that have no form of their own", () => {
    expect(otherKinds([kind, { ...kind, do: "suppress" }])).toEqual([kind]);
  });

  it("begins with the scenario's variables and a new seed", () => {
    const values = startValues(kind, scenario);
    expect(values).toMatchObject({ fraction: null, household: "hh", weight: "w" });
    expect(Number.isSafeInteger(values.seed)).toBe(true);
    expect(startValues(kind, undefined)).toMatchObject({ household: null, weight: "weight" });
    expect(newSeed()).not.toBe(newSeed());
  });

  it("is a step once all that is required is there", () => {
    const values = { ...startValues(kind, scenario), seed: 5 };
    expect(stepFrom(kind, values)).toBeNull();
    const step = { do: "sample", fraction: 0.1, seed: 5, household: "hh", weight: "w" };
    expect(stepFrom(kind, { ...values, fraction: 0.1 })).toEqual(step);
    expect(stepFrom(kind, { ...values, fraction: 0.1, household: null })).not.toHaveProperty("household");
  });

  it("offers variables that the step may touch", () => {
    const changed = field("variable", { control: "variable" });
    expect(fits(kind, changed, variable("w"), [scenario])).toBe(true);
    expect(fits(kind, changed, variable("hh"), [scenario])).toBe(false);
    expect(fits(kind, changed, variable("age"), [scenario])).toBe(false);
    expect(fits(kind, { ...changed, changed: false }, variable("hh"), [scenario])).toBe(true);
    expect(fits(kind, { ...changed, numeric: true }, variable("x"), [scenario])).toBe(false);
  });
});
