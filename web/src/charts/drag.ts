/** Moving the limit by mouse, touch and keys; at most one move a frame. */

import { leapt, nudged, rounded, type Scale } from "../scale";

export interface Moves {
  /** While it moves. */
  move(value: number): void;
  /** When it rests. */
  rest(): void;
}

/** What a key does to the limit, or null if it does nothing. */
export function keyed(key: string, value: number, { low, high }: Scale): number | null {
  const within = (next: number) => Math.min(high, Math.max(low, next));
  // An arrow from outside the picture first comes to its edge.
  const from = within(value);
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return within(nudged(from, 1));
    case "ArrowLeft":
    case "ArrowDown":
      return within(nudged(from, -1));
    case "PageUp":
      return within(leapt(from, 1));
    case "PageDown":
      return within(leapt(from, -1));
    case "Home":
      return low;
    case "End":
      return high;
    default:
      return null;
  }
}

/** Handlers for a surface whose left edge, in the surface's own pixels, is `left`. */
export function draggable(scale: Scale, left: number, moves: Moves) {
  let frame = 0;
  let at = 0;
  const place = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    at = event.clientX - box.left - left;
  };
  const flush = () => {
    frame = 0;
    moves.move(rounded(scale.value(at)));
  };
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      place(event);
      flush();
    },
    onPointerMove(event: PointerEvent) {
      if (!(event.currentTarget as Element).hasPointerCapture(event.pointerId)) return;
      place(event);
      frame ||= requestAnimationFrame(flush);
    },
    onPointerUp(event: PointerEvent) {
      if (!(event.currentTarget as Element).hasPointerCapture(event.pointerId)) return;
      if (frame) {
        cancelAnimationFrame(frame);
        flush();
      }
      moves.rest();
    },
    onPointerCancel() {
      moves.rest();
    },
  };
}
