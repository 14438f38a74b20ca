import { describe, expect, it } from "vitest";
import { outlinePath, roomyTicks, shade, sharesPath, shareTicks, stayShare } from "../src/charts/bins";

const height = (share: number) => 100 * share;

describe("numbers before and after", () => {
  it("are bars, and an outline over them", () => {
    expect(sharesPath([0.5, 0, 0.001], 30, height, 100)).toBe(
      "M0.0 100v-50.0h9.0V100zM20.0 100v-1.0h9.0V100z",
    );
    expect(outlinePath([0.5, 0.25], 20, height, 100)).toBe("M0 100V50.0H10.0V75.0H20.0V100");
  });

  it("have round shares at the axis", () => {
    expect(shareTicks(0.37)).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
    expect(shareTicks(0.04)).toEqual([0, 0.01, 0.02, 0.03, 0.04]);
    expect(shareTicks(0)).toEqual([0, 1]);
  });

  it("are darker where there are more records", () => {
    expect([0, 1, 10, 100].map((count) => shade(count, 100))).toEqual([0, 0.15, 0.575, 1]);
    expect(shade(1, 1)).toBe(0.15);
  });

  it("stay in their class or not", () => {
    expect(stayShare([[3, 1], [0, 4]])).toBe(7 / 8);
    expect(stayShare([[0]])).toBe(1);
  });

  it("have ticks only where there is room", () => {
    const ticks = [0, 1, 2, 6].map((at) => ({ at }));
    expect(roomyTicks(ticks, 10, 100, 15).map(({ at }) => at)).toEqual([0, 2, 6]);
  });
});
