import { describe, expect, it } from "vitest";
import type { VariableProfile, Scenario } from "../src/api";
import { byGroup, countOf, listed, reasonFor, stepsFor, waysFor } from "../src/steps/inventory/deciding";

const variable = (name: string, more: Partial<VariableProfile> = {}): VariableProfile =>
  ({
  name,
  label: "",
  kind: "text",
  distinct: 300,
  missing: 0,
  findings: [],
  decision: { role: "undecided", by: "", why: "" },
  barred: false,
  open: true,
  group: "answer",
  ways: ["keep", "drop"],
  ...more,
  }) as VariableProfile;
const name = variable("NAME", {
  label: "Name of the person",
  barred: true,
  findings: [{ kind: "direct identifier", reason: "Its name says so." }],
  group: "direct identifier",
  ways: ["drop", "renumber", "keep"],
});
const household = variable("hh", { group: "direct identifier", ways: ["renumber", "keep"] });
const hours = variable("hours");
const region = variable("region", {
  open: false,
  group: "in a scenario",
  decision: { role: "key", by: "", why: "" },
});
const all = [name, household, hours, region];

describe("an inventory", () => {
  it("counts what is open, what is refused, and what is delicate", () => {
    expect(countOf(all)).toEqual({ all: 4, open: 3, barred: 1, delicate: 2 });
  });

  it("lists what is asked for", () => {
    const names = (filter: "open" | "delicate" | "all", sought = "") =>
      listed(all, filter, sought).map((each) => each.name);
    expect(names("open")).toEqual(["NAME", "hh", "hours"]);
    expect(names("delicate")).toEqual(["NAME", "hh"]);
    expect(names("all", "PERSON")).toEqual(["NAME"]);
    expect(names("open", "region")).toEqual([]);
  });

  it("offers for several variables what suits each of them", () => {
    expect(waysFor([name])).toEqual(["drop", "renumber", "keep"]);
    expect(waysFor([name, hours])).toEqual(["drop", "keep"]);
    expect(waysFor([name, household, hours])).toEqual(["keep"]);
    expect(waysFor([])).toEqual([]);
  });

  it("puts variables of one group together, in their order", () => {
    expect([...byGroup(all)].map(([group, some]) => [group, some.map((each) => each.name)])).toEqual([
      ["direct identifier", ["NAME", "hh"]],
      ["answer", ["hours"]],
      ["in a scenario", ["region"]],
    ]);
  });

  it("leaves coarsening to Protect", () => {
    expect(waysFor([variable("income", { ways: ["drop", "coarsen", "keep"] })])).toEqual(["drop", "keep"]);
  });

  it("drops in one step and renumbers in one for each", () => {
    const main = { keys: ["region"], weight: null, household: "hh" } as unknown as Scenario;
    expect(stepsFor("drop", [name, hours], [main], "nobody needs it")).toEqual([
      { do: "drop", variables: ["NAME", "hours"], why: "nobody needs it" },
    ]);
    expect(stepsFor("drop", [region], [main], "")).toEqual([
      { do: "drop", variables: ["region"], from_keys: true, why: "" },
    ]);
    const steps = stepsFor("renumber", [name, household], [main], "in order");
    expect(steps).toMatchObject([
      { do: "renumber", variable: "NAME", why: "in order" },
      { do: "renumber", variable: "hh", why: "in order" },
    ]);
    expect(new Set(steps.map((each) => "seed" in each && each.seed)).size).toBe(2);
  });

  it("gives what was found as the reason for a step, unless somebody says more", () => {
    expect(reasonFor([name], " ")).toBe("by microsafe: direct identifier");
    expect(reasonFor([name, hours], "")).toBe("");
    expect(reasonFor([name], "not needed ")).toBe("not needed");
  });
});
