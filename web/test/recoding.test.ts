import { describe, expect, it } from "vitest";
import type { CategoryCount, Recode, TopCode, VariableProfile } from "../src/api";
import { endStep, NO_END } from "../src/steps/protect/ends";
import {
  equalBreaks,
  groupOf,
  groupsOf,
  groupsStep,
  merged,
  NO_RECODE,
  readBreaks,
  readLabels,
  readParents,
  recodeStep,
  type RecodeDraft,
} from "../src/steps/protect/recoding";

const categories: CategoryCount[] = [
  { code: "1", label: "single", records: 10, weighted: null },
  { code: "2", label: "married", records: 20, weighted: null },
  { code: "3", label: "divorced", records: 5, weighted: null },
  { code: "4", label: "", records: 2, weighted: null },
];

describe("bands", () => {
  it("are rising numbers", () => {
    expect(readBreaks("0, 15;30 45")).toEqual([0, 15, 30, 45]);
    for (const text of ["", " ,", "5, 5", "9, 3", "1, x"]) expect(readBreaks(text)).toBeNull();
  });

  it("of equal width hold all numbers and no missing code", () => {
    const detail = {
      categories: ["17", "18", "41", "98"].map((code) => ({ code, label: "", records: 1 })),
      missing_codes: ["98"],
      bins: [],
    } as unknown as VariableProfile;
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

describe("a recode", () => {
  const draft: RecodeDraft = { ...NO_RECODE, how: "groups" };
  const bare: Required<Omit<Recode, "why">> = {
    do: "recode",
    variable: "x",
    groups: null,
    other: null,
    breaks: null,
    names: [],
    keep: null,
    classification: null,
    level: null,
    labels: {},
    missing: null,
  };

  it("can be said in every word that it has", () => {
    // The type lacks no field of the step: a new one is missed here and in `recodeStep`.
    const more = { labels: "1, one\n9 = other", missing: "-1, -2", other: "9" };
    const groups = [{ code: "1", label: "first", members: ["1", "2"] }];
    expect(recodeStep("x", { ...draft, ...more, groups })).toEqual({
      ...bare,
      groups: { "1": ["1", "2"] },
      other: "9",
      labels: { "1": "first", "9": "other" },
      missing: ["-1", "-2"],
    });
    const bands = { ...draft, how: "bands" as const, breaks: [0, 10], names: "low, high" };
    expect(recodeStep("x", bands)).toEqual({ ...bare, breaks: [0, 10], names: ["low", "high"] });
    expect(recodeStep("x", { ...draft, how: "keep", keep: 2 })).toEqual({ ...bare, keep: 2 });
    const parents = { ...draft, how: "classification" as const, parents: "11,1,A\n12,1,A\n21,2,B", level: 1 };
    expect(recodeStep("x", parents)).toEqual({
      ...bare,
      classification: [{ "11": "1", "12": "1", "21": "2" }, { "1": "A", "2": "B" }],
      level: 1,
    });
  });

  it("waits for what is lacking", () => {
    for (const how of ["bands", "groups", "keep", "classification"] as const) {
      expect(recodeStep("x", { ...draft, how })).toBeNull();
    }
    for (const text of ["", "a", "a,b\nc", "a,b\na,c", "a,"]) expect(readParents(text)).toBeNull();
    expect(readLabels("a\tone, two\n\nb; three\nc")).toEqual({ a: "one, two", b: "three" });
  });
});

describe("top and bottom coding", () => {
  it("can be said in every word that it has", () => {
    const share = { ...NO_END, by: "share" as const, share: 2, becomes: "median" as const, strata: ["sex"], least: 5 };
    const full: Required<Omit<TopCode, "why">> = {
      do: "top_code",
      variable: "x",
      limit: null,
      share: 0.02,
      replace: "median",
      strata: ["sex"],
      least: 5,
      code: null,
      label: "",
    };
    expect(endStep("x", share)).toEqual(full);
    const bound = { ...NO_END, end: "bottom_code" as const, bound: 85, code: " 85 ", label: "85 and over", least: 4 };
    expect(endStep("x", bound)).toMatchObject({ do: "bottom_code", limit: 85, code: "85", label: "85 and over", replace: null, least: null });
    expect(endStep("x", { ...bound, becomes: "mean" })).toMatchObject({ limit: 85, replace: "mean", code: null, label: "", least: 4 });
    expect(endStep("x", { ...share, becomes: "class" })).toMatchObject({ replace: "mean" });
    expect(endStep("x", NO_END)).toBeNull();
  });
});
