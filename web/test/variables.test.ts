import { describe, expect, it } from "vitest";
import type { FileMetadata } from "../src/api";
import { changesIn, codesIn, inOrder, movedUp, NOTHING, same, withMissing, withRole, withSaid, withType } from "../src/steps/variables/draft";

const READING = { sheet: null, encoding: null, separator: null, comment: null, decimal: null, thousands: null, na: [] };
const age = { ...NOTHING, type: "number" as const, decimals: 0, missing: ["NA"] };

describe("what is said of variables", () => {
  it("keeps nothing where nothing is said", () => {
    expect(withSaid({}, "age", age)).toEqual({ age });
    expect(withSaid({ age }, "age", NOTHING)).toEqual({});
  });

  it("leaves out what does not apply to another type or role", () => {
    const made = withType(age, "category");
    expect(made.decimals).toBeNull();
    expect(made.missing).toEqual(["NA"]);
    const key = { ...NOTHING, role: "key" as const, level: 2, cost: 3, linked: ["town"] };
    expect(withRole(key, "geography").level).toBe(2);
    expect(withRole(key, "weight")).toEqual({ ...NOTHING, role: "weight" });
  });

  it("counts changes, also those taken back", () => {
    const found: FileMetadata = { reading: READING, options: [], sheets: [], declarations: { age }, proposals: [] };
    const draft = { key: "", reading: READING, said: { age: { ...age } } };
    expect(changesIn(draft, found)).toEqual({ names: [], reading: false });
    expect(changesIn({ ...draft, said: {} }, found).names).toEqual(["age"]);
    expect(changesIn({ ...draft, reading: { ...READING, na: ["auto"] } }, found).reading).toBe(true);
  });

  it("reads lists of codes, each once", () => {
    expect(codesIn(" NA, 99\n99 ,")).toEqual(["NA", "99"]);
  });

  it("marks codes as missing and moves them", () => {
    expect(withMissing(NOTHING, [99], "98", true).missing).toEqual(["99", "98"]);
    expect(withMissing(NOTHING, [99], "99", false).missing).toEqual([]);
    expect(movedUp(["a", "b", "c"], "c")).toEqual(["a", "c", "b"]);
    expect(movedUp(["a", "b"], "a")).toEqual(["a", "b"]);
  });

  it("compares whatever the order of fields", () => {
    expect(same({ a: 1, b: { c: [1, 2], d: 2 } }, { b: { d: 2, c: [1, 2] }, a: 1 })).toBe(true);
    expect(same({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
  });

  it("has codes in the order that was said, be it told a moment ago", () => {
    const said = movedUp(["high", "low", "middle"], "low");
    expect(inOrder(said, ["high", "low", "middle"])).toEqual(["low", "high", "middle"]);
    expect(inOrder(["low", "gone"], ["high", "low"])).toEqual(["low", "high"]);
    expect(inOrder([], ["high", "low"])).toEqual(["high", "low"]);
  });
});
