import { describe, expect, it } from "vitest";
import { maskedIn, rowShares, sharesOf, tintOf } from "../src/steps/explore/shares";

const counts = [
  { text: "1", records: 30, weighted: 0.4 },
  { text: "2", records: null, weighted: null },
  { text: "3", records: 0, weighted: 0 },
];

describe("what is drawn of counts", () => {
  it("gives shares by record or by weight, and none of what is masked", () => {
    expect(sharesOf(counts, 60, "plain")).toEqual([0.5, null, 0]);
    expect(sharesOf(counts, 60, "weighted")).toEqual([0.4, null, 0]);
    expect(sharesOf([counts[2]!], 0, "plain")).toEqual([0]);
  });

  it("gives no share of a row whose total is masked", () => {
    expect(
      rowShares(
        [
          [3, null],
          [4, 4],
          [0, 5],
        ],
        [12, null, 5],
      ),
    ).toEqual([
      [0.25, null],
      [null, null],
      [0, 1],
    ]);
  });

  it("tints by the share, and leaves out what is masked", () => {
    expect(tintOf(1, 1)).toBe(40);
    expect(tintOf(0.25, 1)).toBe(20);
    expect(tintOf(null, 1)).toBe(0);
    expect(tintOf(0, 0)).toBe(0);
    expect(maskedIn([3, null, 0, null])).toBe(2);
  });
});
