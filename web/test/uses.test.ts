import { describe, expect, it } from "vitest";
import type { Scenario, Uses, VariableProfile } from "../src/api";
import { drawnRow, linearScale } from "../src/charts/forest";
import { changesOf, shorten, strongest, tint, widthOf } from "../src/charts/heat";
import {
  formulaOf,
  forTables,
  forTerms,
  modelFault,
  NO_MODEL,
  tableFault,
  tablesOf,
  usable,
  weightsOf,
  withModel,
  withoutTable,
  withTable,
  withWeights,
} from "../src/steps/compare/naming";
import { texts } from "../src/texts";

const words = texts.uses;
const variable = (name: string, more: Partial<VariableProfile> = {}) =>
  ({ name, label: "", role: "none", distinct: 5, numeric: false, ...more }) as VariableProfile;

describe("what may be named", () => {
  const file = [
    variable("id", { role: "identifier" }),
    variable("region"),
    variable("w"),
    variable("income", { distinct: 4000, numeric: true }),
    variable("job", { distinct: 400 }),
    variable("gone"),
  ];
  const scenarios = [{ weight: "w", household: null } as Scenario];
  const found = usable(file, scenarios, ["id", "region", "w", "income", "job"]);

  it("is nothing that tells people apart or was dropped", () => {
    expect(found.map((each) => each.name)).toEqual(["region", "income", "job"]);
  });

  it("has few categories in a table, and is a number or has few in a model", () => {
    expect(forTables(found).map((each) => each.name)).toEqual(["region"]);
    expect(forTerms(found).map((each) => each.name)).toEqual(["region", "income"]);
  });
});

describe("tables", () => {
  const one = withTable(null, "sex", "");
  const two = withTable(one, "region", "age");

  it("are named by one variable or two", () => {
    expect(tablesOf(two)).toEqual([["sex"], ["region", "age"]]);
    expect(two.others).toBe(1);
  });

  it("are named once, whichever variable is in the rows", () => {
    expect(tableFault(two, "age", "region")).toBe(words.tableThere);
    expect(tableFault(two, "sex", "")).toBe(words.tableThere);
    expect(tableFault(two, "age", "age")).toBe(words.twice);
    expect(tableFault(two, "", "age")).toBe(words.chooseRows);
    expect(tableFault(two, "age", "")).toBeNull();
  });

  it("can be taken back, and others stay as they are", () => {
    const large: Uses = { ...two, tables: [...two.tables, { of: ["a", "b", "c"], weight: 2 }] };
    expect(tablesOf(withoutTable(large, ["age", "region"]))).toEqual([["sex"]]);
    expect(withoutTable(large, ["age", "region"]).tables).toHaveLength(1);
    expect(tablesOf(withoutTable(large, ["sex"]))).toEqual([["region", "age"]]);
  });
});

describe("weights", () => {
  it("are those of each use, and can be others", () => {
    const uses = withModel(withTable(withTable(null, "sex", ""), "region", "age"), {
      ...NO_MODEL,
      outcome: "income",
      terms: ["age"],
    });
    expect(weightsOf(uses)).toEqual({ sex: 1, "region × age": 1, "income ~ age": 1 });
    const heavier = withWeights(uses, { sex: 3, "region × age": 2 });
    expect(weightsOf(heavier)).toEqual({ sex: 3, "region × age": 2, "income ~ age": 1 });
  });
});

describe("models", () => {
  it("are written as they are picked", () => {
    expect(formulaOf(NO_MODEL)).toBe("… ~ …");
    expect(formulaOf({ ...NO_MODEL, outcome: "income", terms: ["age", "sex"] })).toBe("income ~ age + sex");
    expect(formulaOf({ outcome: "work", category: "2", terms: ["age"] })).toBe("work = 2 ~ age");
  });

  it("need an outcome and a term, and are named once", () => {
    const model = { ...NO_MODEL, outcome: "income", terms: ["age"] };
    const uses = withModel(null, model);
    expect(modelFault(null, { ...model, outcome: "" })).toBe(words.chooseOutcome);
    expect(modelFault(null, { ...model, terms: [] })).toBe(words.chooseTerm);
    expect(modelFault(uses, model)).toBe(words.modelThere);
    expect(modelFault(uses, { ...model, terms: ["sex"] })).toBeNull();
  });
});

describe("the heat map", () => {
  const before = [
    [0.5, 0.01],
    [0, 0.49],
  ];
  const after = [
    [0.45, 0.02],
    [0, 0.53],
  ];
  const records = [
    [500, 10],
    [0, 490],
  ];

  it("tells absolute changes of all cells, and relative ones of those with enough records", () => {
    const points = changesOf(before, after, "points", records);
    expect(points[0]![0]).toBeCloseTo(-0.05, 12);
    expect(points[0]![1]).toBeCloseTo(0.01, 12);
    expect(points[1]![0]).toBeNull();
    const relative = changesOf(before, after, "relative", records);
    expect(relative[0]![0]).toBeCloseTo(-0.1, 12);
    expect(relative[0]![1]).toBeNull();
    expect(strongest(points, "points")).toBeCloseTo(0.05, 12);
  });

  it("stays pale where little changed", () => {
    expect(strongest([[0.00001]], "points")).toBe(0.001);
    expect(strongest([[null]], "relative")).toBe(0.1);
    expect(tint(0.00001, 0.001)).toBeCloseTo(0.1, 6);
    expect(tint(-2, 1)).toBe(1);
    expect(tint(null, 1)).toBe(0);
  });

  it("keeps names within their room", () => {
    expect(shorten("Steiermark", 200)).toBe("Steiermark");
    expect(shorten("Steiermark", 40)).toBe("Steie…");
    expect(widthOf(["a", "abcdef"], 10, 30)).toBe(30);
  });
});

describe("the axis of coefficients", () => {
  it("shows numbers for one standard deviation", () => {
    const row = {
      term: "age",
      estimate: [2, 3],
      interval: [
        [1, 3],
        [2, 4],
      ],
      overlap: 0.5,
      deviation: 10,
    } as const;
    expect(drawnRow(row)).toEqual({ ...row, estimate: [20, 30], interval: [[10, 30], [20, 40]] });
    expect(drawnRow({ ...row, deviation: null }).estimate).toEqual([2, 3]);
  });

  it("has round ends around all intervals and nothing", () => {
    const x = linearScale([120, 3100], 300);
    expect([x.low, x.high]).toEqual([0, 4000]);
    expect(x.place(2000)).toBe(150);
    expect(linearScale([-0.2, 0.13], 300).ticks).toEqual([-0.2, -0.1, 0, 0.1, 0.2]);
    expect(linearScale([0], 300).high).toBeGreaterThan(0);
  });
});
