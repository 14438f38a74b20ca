import { describe, expect, it } from "vitest";
import { groupsOf, isWhole, matrixOf, readChance, readPasted, stay, sumOf } from "../src/steps/protect/chances";

const codes = ["1", "2", "3"];

describe("chances of categories", () => {
  it("begin with every category as it is", () => {
    expect(matrixOf(stay(3), codes)).toEqual({ "1": { "1": 1 }, "2": { "2": 1 }, "3": { "3": 1 } });
  });

  it("are a matrix once every row sums to 1", () => {
    const grid = [[0.7, 0.2, 0.1], [0, 1, 0], [0.1, 0.1, 0.7]];
    expect(grid.map(isWhole)).toEqual([true, true, false]);
    expect(matrixOf(grid, codes)).toBeNull();
    grid[2] = [0.1, 0.1, 0.8];
    expect(matrixOf(grid, codes)).toMatchObject({ "1": { "1": 0.7, "2": 0.2, "3": 0.1 }, "2": { "2": 1 } });
    expect(sumOf([0.5, null])).toBeNull();
    expect(sumOf([1.5, -0.5])).toBeNull();
  });

  it("are read as people write them", () => {
    expect(["0.9", "0,9", "90 %", "", "x"].map((text) => readChance(text))).toEqual([0.9, 0.9, 0.9, 0, null]);
  });

  it("are read from a table, with or without codes", () => {
    const grid = [[0.7, 0.2, 0.1], [0, 1, 0], [0, 0, 1]];
    expect(readPasted("0.7 0.2 0.1\n0 1 0\n0 0 1\n", codes)).toEqual(grid);
    expect(readPasted("0,7;0,2;0,1\n0;1;0\n0;0;1", codes)).toEqual(grid);
    expect(readPasted("0.7,0.2,0.1\n0,1,0\n0,0,1", codes)).toEqual(grid);
    expect(readPasted("\t2\t1\t3\n3\t0\t0\t1\n1\t0.2\t0.7\t0.1\n2\t1\t0\t0", codes)).toEqual(grid);
    expect(readPasted("0.7 0.3\n0 1", codes)).toBeNull();
    expect(readPasted("\t2\t1\t4\n3\t0\t0\t1\n1\t0\t1\t0\n2\t1\t0\t0", codes)).toBeNull();
  });
});

describe("groups of categories", () => {
  it("have two members at least", () => {
    expect(groupsOf({ a: "B", b: "A", c: "A", d: "", e: "B", f: "C" })).toEqual([
      ["b", "c"],
      ["a", "e"],
    ]);
  });
});
