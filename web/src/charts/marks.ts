/** Marks of a picture that tell their figures: which one is meant, and where there is room to tell. */

export interface Mark {
  /** Its place in the picture's own pixels: what is pointed at, which may be more than what is drawn. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** What it is, then its figures, a line each. */
  readonly lines: readonly string[];
}

/** The smallest box that holds all marks. */
export function boundsOf(marks: readonly Mark[]) {
  const x = Math.min(...marks.map((each) => each.x));
  const y = Math.min(...marks.map((each) => each.y));
  const width = Math.max(...marks.map((each) => each.x + each.width)) - x;
  const height = Math.max(...marks.map((each) => each.y + each.height)) - y;
  return { x, y, width, height };
}

/** The mark at a place, or null if there is none. */
export function markAt(marks: readonly Mark[], x: number, y: number): number | null {
  const found = marks.findIndex(
    (each) => x >= each.x && x < each.x + each.width && y >= each.y && y < each.y + each.height,
  );
  return found < 0 ? null : found;
}

/** The mark that a key goes to, where so many stand in a row; null if the key does nothing. */
export function nextMark(key: string, at: number, count: number, row = 1): number | null {
  const steps: Record<string, number> =
    row > 1
      ? { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row }
      : { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 };
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = steps[key];
  if (step === undefined) return null;
  const next = at + step;
  return next < 0 || next >= count ? at : next;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const GAP = 8;
const EDGE = 4;

/** Where a tip of that size stands: above the mark in its middle, below if there is no room, never cut. */
export function placeTip(mark: Box, size: { width: number; height: number }, room: { width: number; height: number }) {
  const within = (value: number, most: number) => Math.max(EDGE, Math.min(value, most - EDGE));
  const above = mark.top - GAP - size.height;
  const below = mark.bottom + GAP;
  const top = above >= EDGE || below + size.height > room.height - EDGE ? above : below;
  return {
    left: within((mark.left + mark.right - size.width) / 2, room.width - size.width),
    top: within(top, room.height - size.height),
  };
}
