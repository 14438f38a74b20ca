import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { texts } from "../texts";
import { boundsOf, markAt, nextMark, placeTip, type Box, type Mark } from "./marks";

interface Told {
  readonly by: object;
  /** Where the mark is now on the screen. */
  readonly box: () => Box;
  readonly lines: readonly string[];
}

/** What is told of a mark just now; one at a time on the whole page. */
const told = signal<Told | null>(null);

/** Stop telling what somebody told, if it is still told. */
function hide(by: object): void {
  if (told.peek()?.by === by) told.value = null;
}

/** The one tip of the page: above everything, never cut at an edge; Escape closes it. */
export function Tip() {
  const ref = useRef<HTMLDivElement>(null);
  const now = told.value;
  const put = () => {
    const tip = ref.current;
    const mark = told.peek()?.box();
    if (!tip || !mark) return;
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    const { left, top } = placeTip(mark, tip.getBoundingClientRect(), { width, height });
    tip.style.left = `${Math.round(left)}px`;
    tip.style.top = `${Math.round(top)}px`;
  };
  useLayoutEffect(put, [now]);
  const open = now !== null;
  useLayoutEffect(() => {
    if (!open) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Escape") told.value = null;
    };
    addEventListener("keydown", onKeyDown);
    addEventListener("scroll", put, true); // it stays with its mark
    return () => {
      removeEventListener("keydown", onKeyDown);
      removeEventListener("scroll", put, true);
    };
  }, [open]);
  if (!now) return null;
  const [name, ...figures] = now.lines;
  return (
    <div class="tip" role="tooltip" ref={ref}>
      <strong>{name}</strong>
      {figures.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </div>
  );
}

/** Handlers for a part of the page that tells its figures when it is pointed at or has the focus. */
export function telling(lines: readonly string[] | ((part: Element) => readonly string[])) {
  const show = (event: Event) => {
    const part = event.currentTarget as Element;
    told.value = {
      by: part,
      box: () => part.getBoundingClientRect(),
      lines: typeof lines === "function" ? lines(part) : lines,
    };
  };
  const leave = (event: Event) => hide(event.currentTarget as Element);
  return {
    onPointerEnter: show,
    onPointerLeave: leave,
    onFocus: (event: FocusEvent) => (event.currentTarget as Element).matches(":focus-visible") && show(event),
    onBlur: leave,
  };
}

interface Props {
  /** In the order in which keys go through them. */
  marks: readonly Mark[];
  /** Whose marks they are. */
  named: string;
  /** How many stand in a row, where there are rows. */
  row?: number;
}

/**
 * The marks of a picture: pointing at one tells its figures, and so do the arrow keys.
 *
 * It lies over what is drawn and is one stop of the Tab key, however many marks there are.
 */
export function Marks({ marks, named, row = 1 }: Props) {
  const ref = useRef<SVGGElement>(null);
  const [place, setPlace] = useState(0);
  const [shown, setShown] = useState<number | null>(null);
  const at = Math.min(place, marks.length - 1);
  useEffect(() => {
    const group = ref.current;
    return () => {
      if (group) hide(group);
    };
  }, []);
  if (!marks.length) return null;
  const bounds = boundsOf(marks);
  /** Where the picture's own pixels begin on the screen, by the area that takes the pointer. */
  const origin = () => {
    const hit = ref.current!.firstElementChild!.getBoundingClientRect();
    return { left: hit.left - bounds.x, top: hit.top - bounds.y };
  };
  const show = (which: number | null) => {
    const group = ref.current!;
    setShown(which);
    if (which === null) return hide(group);
    const mark = marks[which]!;
    const box = () => {
      const { left, top } = origin();
      const [x, y] = [left + mark.x, top + mark.y];
      return { left: x, top: y, right: x + mark.width, bottom: y + mark.height };
    };
    told.value = { by: group, box, lines: mark.lines };
  };
  const onPointerMove = (event: PointerEvent) => {
    if (event.buttons) return show(null);
    const { left, top } = origin();
    const which = markAt(marks, event.clientX - left, event.clientY - top);
    if (which !== shown) show(which);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") return setShown(null);
    const next = nextMark(event.key, at, marks.length, row);
    if (next === null) return;
    event.preventDefault();
    setPlace(next);
    show(next);
  };
  const pointed = shown === null ? null : marks[shown];
  return (
    <g
      class="marks"
      ref={ref}
      role="slider"
      tabindex={0}
      aria-label={texts.picture.marks(named)}
      aria-valuemin={1}
      aria-valuemax={marks.length}
      aria-valuenow={at + 1}
      aria-valuetext={marks[at]!.lines.join(", ")}
      onPointerMove={onPointerMove}
      onPointerLeave={() => show(null)}
      onKeyDown={onKeyDown}
      onFocus={() => ref.current!.matches(":focus-visible") && show(at)}
      onBlur={() => show(null)}
    >
      <rect class="hit" {...bounds} />
      {pointed && (
        <rect class="pointed" x={pointed.x} y={pointed.y} width={pointed.width} height={pointed.height} />
      )}
    </g>
  );
}
