import { describe, expect, it } from "vitest";
import { codeName, interactionsOf, levelsOf, saidCode, sorted, sumOf, turned } from "../src/steps/closer/rows";

const code = (text: string | null, records: number, ...counts: number[]) => ({
  value: { code: text, label: "" },
  records,
  counts,
});
const rows = [code("10", 5, 0, 3), code("2", 9, 1, 1), code(null, 1, 4, 0)];
const names = (found: typeof rows) => found.map((each) => each.value.code);

describe("rows of counts", () => {
  it("are sorted by a dimension, by all, by records and by name", () => {
    expect(names(sorted(rows, { by: 1, down: true }, codeName))).toEqual(["10", "2", null]);
    expect(names(sorted(rows, { by: "all", down: true }, codeName))).toEqual([null, "10", "2"]);
    expect(names(sorted(rows, { by: "records", down: false }, codeName))).toEqual([null, "10", "2"]);
    expect(names(sorted(rows, { by: "name", down: false }, codeName))).toEqual(["2", "10", null]);
    expect(sumOf(rows[0]!)).toBe(3);
  });

  it("turn round when the same head is pressed again", () => {
    const first = turned({ by: "all", down: true }, 0);
    expect(first).toEqual({ by: 0, down: true });
    expect(turned(first, 0)).toEqual({ by: 0, down: false });
    expect(turned(first, "name")).toEqual({ by: "name", down: false });
  });

  it("say a code with its label", () => {
    expect(saidCode({ code: "3", label: "Coast" }, "missing")).toBe("3 Coast");
    expect(saidCode({ code: null, label: "" }, "missing")).toBe("missing");
  });
});

describe("what is asked", () => {
  it("has the levels of keys that have one", () => {
    expect(levelsOf({ age: 2, gone: 1 }, ["region", "age"])).toEqual(["age=2"]);
  });

  it("has the interactions as they were named", () => {
    expect(interactionsOf(" age * sex, region×age ,")).toEqual(["age*sex", "region*age"]);
    expect(interactionsOf("")).toEqual([]);
  });
});
