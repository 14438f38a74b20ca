import { describe, expect, it } from "vitest";
import type { VariableProfile } from "../src/api";
import { emptyDraft, lessons, proposed, roleIn, scenarioOf, suggested, withRole, type Draft } from "../src/steps/scenario/draft";

function variable(name: string, role: VariableProfile["role"], more: Partial<VariableProfile> = {}): VariableProfile {
  const guess = { numbers: null, texts: null, meaning: "", sensitive: false, reason: "", place: null, combinations: null, uniques: null, adds: null };
  return { name, label: "", kind: "integer", measure: "nominal", distinct: 4, missing: 0, role, numeric: true, ...guess, ...more } as VariableProfile;
}

const order = ["id", "region", "age", "w", "hh"];
const variables = [
  variable("id", "identifier"),
  variable("region", "key"),
  variable("age", "key", { distinct: 99, missing: 30 }),
  variable("w", "weight"),
  variable("hh", "household"),
];

describe("roles", () => {
  it("are taken from the suggestions", () => {
    const draft = suggested(emptyDraft("main"), variables);
    expect([draft.keys, draft.weight, draft.household]).toEqual([["region", "age"], "w", "hh"]);
  });

  it("are one for each variable, keys in the order of the file", () => {
    let draft = suggested(emptyDraft("main"), variables);
    draft = withRole(draft, "w", "key", order);
    expect([draft.keys, draft.weight]).toEqual([["region", "age", "w"], null]);
    draft = withRole(draft, "region", "household", order);
    expect([draft.keys, draft.household]).toEqual([["age", "w"], "region"]);
    draft = withRole(draft, "region", "none", order);
    expect(draft.household).toBeNull();
    expect(roleIn(draft, "age")).toBe("key");
    expect(roleIn(draft, "hh")).toBe("none");
  });
});

describe("persons of several records", () => {
  it("are left out where their variable gets another role, and their waves with them", () => {
    const draft: Draft = { ...emptyDraft("main"), person: "id", wave: "age", person_weights: "file" };
    const key = withRole(draft, "id", "key", order);
    expect([key.person, key.wave, key.person_weights]).toEqual([null, null, "wave"]);
    const moved = withRole(draft, "age", "weight", order);
    expect([moved.person, moved.wave]).toEqual(["id", null]);
    expect(withRole(draft, "region", "key", order).person).toBe("id");
  });
});

describe("proposed keys", () => {
  it("come in their order, and are taken one by one", () => {
    const placed = [variable("region", "key", { place: 2 }), variable("sex", "key", { place: 1 }), variable("w", "weight")];
    expect(proposed(placed).map((each) => each.name)).toEqual(["sex", "region"]);
    expect(placed[0]!.name).toBe("region");
    const one = withRole(emptyDraft("main"), "sex", "key", placed.map((each) => each.name));
    expect(one.keys).toEqual(["sex"]);
  });
});

describe("warnings that teach", () => {
  it("come with the choice that causes them", () => {
    const draft = { ...emptyDraft("main"), keys: ["id", "region", "age"], estimator: "cell" as const };
    const found = lessons(draft, variables, 100);
    for (const part of ["sampling weight", "household number", "id looks like", "age has 99", "30.0 %"]) {
      expect(found.some((each) => each.includes(part))).toBe(true);
    }
    expect(lessons({ ...draft, missing: "category" }, variables, 100).join()).not.toContain("30.0 %");
  });

  it("say nothing of a careful scenario", () => {
    const careful = { ...emptyDraft("main"), keys: ["region", "sex"], weight: "w", household: "hh" };
    expect(lessons(careful, variables, 100)).toEqual([]);
    expect(lessons(emptyDraft("main"), variables, 100)).toEqual([]);
  });
});

describe("the scenario that is sent", () => {
  it("has chances of error of keys only", () => {
    const draft = { ...emptyDraft("main"), keys: ["age", "sex"], error: { age: 0.1, sex: 0, region: 0.2 } };
    expect(scenarioOf(draft).error).toEqual({ age: 0.1 });
  });
});

describe("the estimator", () => {
  it("is the file's to choose for other keys, and cell without a weight", () => {
    const draft = { ...suggested(emptyDraft("main"), variables), estimator: "model" as const };
    expect(suggested(emptyDraft("main"), variables).estimator).toBeNull();
    expect(withRole(draft, "region", "none", order).estimator).toBeNull();
    const said = { ...draft, missing: { region: "category" as const } };
    expect(withRole(said, "region", "none", order).estimator).toBe("model");
    expect(withRole(draft, "w", "none", order).estimator).toBe("cell");
    expect(suggested(draft, variables.filter((each) => each.role !== "weight")).estimator).toBe("cell");
  });
});
