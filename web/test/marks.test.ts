import { describe, expect, it } from "vitest";
import { boundsOf, markAt, nextMark, placeTip, type Mark } from "../src/charts/marks";

const mark = (x: number, y: number): Mark => ({ x, y, width: 10, height: 20, lines: [`${x} ${y}`] });
const marks = [mark(0, 0), mark(10, 0), mark(0, 20), mark(10, 20)];

describe("marks", () => {
  it("are found where they are", () => {
    expect(boundsOf(marks)).toEqual({ x: 0, y: 0, width: 20, height: 40 });
    expect(markAt(marks, 12, 3)).toBe(1);
    expect(markAt(marks, 9.9, 20)).toBe(2);
    expect(markAt(marks, 25, 3)).toBeNull();
  });

  it("are gone through by keys", () => {
    expect(nextMark("ArrowRight", 0, 4, 2)).toBe(1);
    expect(nextMark("ArrowDown", 1, 4, 2)).toBe(3);
    expect(nextMark("ArrowDown", 3, 4, 2)).toBe(3);
    expect(nextMark("ArrowLeft", 0, 4)).toBe(0);
    expect(nextMark("ArrowUp", 2, 4)).toBe(1);
    expect(nextMark("End", 0, 4)).toBe(3);
    expect(nextMark("a", 0, 4)).toBeNull();
  });
});

describe("a tip", () => {
  const size = { width: 100, height: 40 };
  const room = { width: 390, height: 600 };

  it("stands above the mark", () => {
    const box = { left: 200, top: 300, right: 220, bottom: 320 };
    expect(placeTip(box, size, room)).toEqual({ left: 160, top: 252 });
  });

  it("stands below where there is no room above", () => {
    expect(placeTip({ left: 200, top: 10, right: 220, bottom: 30 }, size, room).top).toBe(38);
  });

  it("is not cut at any edge", () => {
    for (const left of [-20, 0, 380, 500]) {
      for (const top of [-30, 0, 595]) {
        const placed = placeTip({ left, top, right: left + 5, bottom: top + 590 }, size, room);
        expect(placed.left).toBeGreaterThanOrEqual(4);
        expect(placed.left + size.width).toBeLessThanOrEqual(room.width - 4);
        expect(placed.top).toBeGreaterThanOrEqual(4);
        expect(placed.top + size.height).toBeLessThanOrEqual(room.height - 4);
      }
    }
  });
});
