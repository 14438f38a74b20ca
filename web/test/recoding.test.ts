import { describe, expect, it } from "vitest";
import type { Category, Recode, VariableDetail } from "../src/api";
import {
  equalBreaks,
  groupOf,
  groupsOf,
  groupsStep,
  merged,
  readBreaks,
} from "../src/steps/protect/recoding";

const categories: Category[] = [
  { code: "1", label: "single", records: 10 },
  { code: "2", label: "married", records: 20 },
  { code: "3", label: "divorced", records: 5 },
  { code: "4", label: "", records: 2 },
];

describe("bands", () => {
  it("are rising numbers", () => {
    expect(readBreaks("0, 15;30 45")).toEqual([0, 15, 30, 45]);
    for (const text of ["", " ,", "5, 5", "9, 3", "1, x"]) expect(readBreaks(text)).toBeNull();
  });

  it("of equal width hold all numbers and no missing code", () => {
    const detail = {
      categories: ["17", "18", "41", "98"].map((code) => ({ code, label: "", records: 1 })),
      missing_codes: [{ code: "98", label: "refused", records: 1 }],
      bins: [],
    } as unknown as VariableDetail;
    expect(equalBreaks(detail, 10)).toEqual([10, 20, 30, 40]);
    expect(equalBreaks({ ...detail, categories: [] }, 10)).toEqual([]);
  });
});

describe("groups", () => {
  it("put categories into one", () => {
    const groups = merged([], new Set(["1", "3"]), categories);
    expect(groups).toEqual([{ code: "1", label: "single or divorced", members: ["1", "3"] }]);
    expect(groupOf(groups, "3")?.code).toBe("1");
    expect(groupOf(groups, "2")).toBeUndefined();
  });

  it("lose what goes into another, and dissolve when one is left", () => {
    const first = merged([], new Set(["1", "2"]), categories);
    expect(merged(first, new Set(["2", "4"]), categories)).toEqual([
      { code: "2", label: "married", members: ["2", "4"] },
    ]);
  });

  it("become a step and come back", () => {
    const groups = merged([], new Set(["2", "3"]), categories);
    const step = groupsStep("marital", groups);
    expect(step).toEqual({
      do: "recode",
      variable: "marital",
      groups: { "2": ["2", "3"] },
      labels: { "2": "married or divorced" },
    });
    expect(groupsOf({ other: null, labels: {}, ...step } as unknown as Recode)).toEqual(groups);
    expect(
      groupsOf({ other: null, labels: {}, groups: { a: [["1", "3"]] } } as unknown as Recode),
    ).toBeNull();
  });

  it("need a code each, and different ones", () => {
    expect(groupsStep("x", [])).toBeNull();
    expect(groupsStep("x", [{ code: " ", label: "", members: ["1", "2"] }])).toBeNull();
    const twice = [
      { code: "1", label: "", members: ["1", "2"] },
      { code: "1", label: "", members: ["3", "4"] },
    ];
    expect(groupsStep("x", twice)).toBeNull();
  });
});
