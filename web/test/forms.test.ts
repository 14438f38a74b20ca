import { describe, expect, it } from "vitest";
import type { Scenario, FormEntry, StepKind, VariableProfile } from "../src/api";
import {
  applies,
  changedValues,
  fits,
  newSeed,
  otherKinds,
  perturbingKinds,
  startValues,
  stepFrom,
  waysOf,
} from "../src/steps/protect/forms";

const field = (name: string, more: Partial<FormEntry>): FormEntry => ({
  name,
  control: "text",
  label: name,
  help: "",
  choices: {},
  numeric: false,
  changed: true,
  ordered: false,
  only_with: "",
  way: "",
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
const variable = (name: string, numeric = false): VariableProfile =>
  ({ name, kind: "text", numeric }) as VariableProfile;

describe("a form made from a description", () => {
  it("is for kinds that have no form of their own, the perturbing ones by themselves", () => {
    const kinds = ["sample", "suppress", "noise", "pram"].map((name) => ({ ...kind, do: name }));
    expect(otherKinds(kinds)).toEqual([kind]);
    expect(perturbingKinds(kinds).map((each) => each.do)).toEqual(["pram", "noise"]);
  });

  it("asks for what matters, and sends nothing else", () => {
    const round: StepKind = {
      ...kind,
      do: "round",
      fields: [
        field("random", { control: "switch", default: false }),
        field("seed", { control: "seed", only_with: "random" }),
        field("scale", { only_with: "method=mdav" }),
      ],
    };
    const [, seed, scale] = round.fields;
    expect([false, true, null].map((random) => applies(seed!, { random }, ""))).toEqual([false, true, false]);
    expect(["mdav", "one"].map((method) => applies(scale!, { method }, ""))).toEqual([true, false]);
    expect(stepFrom(round, { random: false, seed: 5 })).toEqual({ do: "round", random: false });
    expect(stepFrom(round, { random: true, seed: 5 })).toEqual({ do: "round", random: true, seed: 5 });
  });

  it("asks for one of several ways, of which the first has defaults", () => {
    const pram: StepKind = {
      ...kind,
      do: "pram",
      fields: [
        field("variable", { control: "variable", required: true }),
        field("keep", { control: "number", way: "by chance" }),
        field("within", { control: "groups", way: "by chance", default: [] }),
        field("band", { control: "whole", way: "by places" }),
        field("change", { control: "number", way: "by places" }),
        field("matrix", { control: "matrix", way: "by matrix", default: {} }),
      ],
    };
    expect(waysOf(pram)).toEqual(["by chance", "by places", "by matrix"]);
    const values = { ...startValues(pram, scenario), variable: "age", keep: 0.8, band: 2 };
    expect(stepFrom(pram, values)).toEqual({ do: "pram", variable: "age", keep: 0.8 });
    expect(stepFrom(pram, { ...values, keep: null })).toEqual({ do: "pram", variable: "age" });
    expect(stepFrom(pram, values, "by places")).toBeNull();
    expect(stepFrom(pram, { ...values, change: 0.2 }, "by places")).toEqual({
      do: "pram",
      variable: "age",
      band: 2,
      change: 0.2,
    });
    expect(stepFrom(pram, values, "by matrix")).toBeNull();
    const given = { ...values, matrix: { a: { a: 1 } } };
    expect(stepFrom(pram, given, "by matrix")).toMatchObject({ matrix: { a: { a: 1 } } });
    expect(changedValues(pram, given, "variable", "sex")).toMatchObject({ variable: "sex", matrix: {}, band: 2 });
    expect(changedValues(pram, given, "keep", 0.7)).toMatchObject({ keep: 0.7, matrix: { a: { a: 1 } } });
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
    expect(fits(kind, { ...changed, numeric: true }, variable("x", true), [scenario])).toBe(true);
  });
});
