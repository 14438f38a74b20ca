import { useRef } from "preact/hooks";
import { percent, plain } from "../numbers";
import { texts } from "../texts";
import { inOrder, nextPoint, shareAxis, type FrontierPoint } from "./frontier";
import { telling } from "./Tip";
import { useWidth } from "./width";

const LEFT = 48;
const RIGHT = 28;
const TOP = 54;
const BOTTOM = 52;
const LABEL = 70; // the widest mark of a point

export type Mark = keyof typeof texts.propose.frontier.marks;

export interface Plotted extends FrontierPoint {
  /** What those hear who do not see it. */
  readonly named: string;
  readonly marks: readonly Mark[];
}

interface Props {
  points: readonly Plotted[];
  /** Share of the records that may lose a value; null if any number may. */
  cap: number | null;
  chosen: number | null;
  choose(point: number): void;
  /** Whether losses are those by the uses that matter. */
  byUses?: boolean;
  tall?: number;
}

const words = texts.propose.frontier;

/** What plans lose by how many records have blanks: each point is a plan that can be opened. */
export function Frontier({ points, cap, chosen, choose, byUses = false, tall = 320 }: Props) {
  const [box, width] = useWidth<HTMLDivElement>(560);
  const marks = useRef(new Map<number, SVGGElement>());
  const wide = Math.max(120, width - LEFT - RIGHT);
  const high = tall - TOP - BOTTOM;
  const x = shareAxis([...points.map((each) => each.touched), cap ?? 0], Math.max(3, Math.floor(wide / 80)));
  const y = shareAxis(points.map((each) => each.loss));
  const left = (each: FrontierPoint) => wide * x.place(each.touched);
  const top = (each: FrontierPoint) => high * (1 - y.place(each.loss));
  const order = inOrder(points);
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const to = event.key === "Enter" || event.key === " " ? at : nextPoint(event.key, at, points);
    if (to === null) return;
    event.preventDefault();
    choose(to);
    marks.current.get(to)?.focus();
  };
  return (
    <div class="picture frontier" ref={box}>
      <svg width={width} height={tall} role="group" aria-label={words.named}>
        <g transform={`translate(${LEFT},${TOP})`}>
          <g class="axes" aria-hidden="true">
            {y.ticks.map((tick) => (
              <g key={tick} transform={`translate(0,${high * (1 - y.place(tick / 100))})`}>
                <line x2={wide} class={tick === 0 ? "base" : ""} />
                <text x={-8} dy="0.32em" text-anchor="end">
                  {plain(tick)}
                </text>
              </g>
            ))}
            {x.ticks.map((tick) => (
              <g key={tick} transform={`translate(${wide * x.place(tick / 100)},0)`}>
                <line class="base" y1={high} y2={high + 5} />
                <text y={high + 20} text-anchor="middle">
                  {plain(tick)}
                </text>
              </g>
            ))}
            <text class="title" x={wide} y={high + 42} text-anchor="end">
              {words.touched}
            </text>
            <text class="title" x={-LEFT + 8} y={-36}>
              {byUses ? words.lossByUses : words.loss}
            </text>
          </g>
          {cap !== null && (
            <g class="cap" transform={`translate(${wide * x.place(cap)},0)`}>
              <line y1={-6} y2={high} />
              <text class="says" y={-10} text-anchor={wide * x.place(cap) > wide - LABEL ? "end" : "start"}>
                {words.cap(percent(cap))}
              </text>
            </g>
          )}
          <polyline
            class="frontier-line"
            points={order.map((i) => `${left(points[i]!).toFixed(1)},${top(points[i]!).toFixed(1)}`).join(" ")}
          />
          {order.map((i) => {
            const each = points[i]!;
            return (
              <g
                key={i}
                ref={(mark) => {
                  if (mark) marks.current.set(i, mark);
                  else marks.current.delete(i);
                }}
                class={`plan-point ${each.marks.join(" ")} ${i === chosen ? "chosen" : ""}`}
                role="button"
                tabindex={0}
                aria-pressed={i === chosen}
                aria-label={each.marks.length ? `${each.named} (${said(each)})` : each.named}
                transform={`translate(${left(each).toFixed(1)},${top(each).toFixed(1)})`}
                {...telling([each.named, ...(each.marks.length ? [said(each)] : [])])}
                onClick={() => choose(i)}
                onKeyDown={(event) => onKeyDown(event, i)}
              >
                <circle class="hit" r={14} />
                <circle class="halo" r={11} />
                <circle class="dot" r={6} />
              </g>
            );
          })}
          <g aria-hidden="true">
            {points.map((each, i) => {
              const right = left(each) > wide - LABEL;
              return (
                each.marks.length > 0 && (
                  <text
                    key={i}
                    class="says mark"
                    x={left(each) + (right ? -13 : 13)}
                    y={top(each) - 11}
                    text-anchor={right ? "end" : "start"}
                  >
                    {said(each)}
                  </text>
                )
              );
            })}
          </g>
        </g>
      </svg>
    </div>
  );
}

function said({ marks }: Plotted): string {
  return marks.map((mark) => words.marks[mark]).join(", ");
}
