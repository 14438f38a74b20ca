import type { Coefficient } from "../api";
import { percent, plain } from "../numbers";
import { texts } from "../texts";
import { drawnRow, linearScale } from "./forest";
import { shorten, widthOf } from "./heat";
import { beforeAfter } from "./NumberPictures";
import { Marks } from "./Tip";
import { useWidth } from "./width";

const words = texts.uses.forest;
const TOP = 10;
const BOTTOM = 40;
const HEIGHT = 30; // of a term
const APART = 6; // of its two intervals, from the middle

interface Props {
  coefficients: readonly Coefficient[];
  /** What the coefficients are measured in. */
  unit: string;
  named: string;
}

/** Each coefficient with its confidence interval before and after, one above the other. */
export function Forest({ coefficients: given, unit, named }: Props) {
  const coefficients = given.map(drawnRow);
  const [box, width] = useWidth<HTMLDivElement>(640);
  const terms = coefficients.map((each) => (each.deviation ? words.perDeviation(each.term) : each.term));
  const left = widthOf(terms, 60, Math.min(220, 0.36 * width)) + 14;
  const across = Math.max(120, width - left - 20);
  const bottom = HEIGHT * terms.length;
  const x = linearScale(
    coefficients.flatMap((each) => [...each.interval[0], ...each.interval[1]]),
    across,
    Math.max(2, Math.floor(across / 90)),
  );
  return (
    <div class="picture" ref={box}>
      <svg width={width} height={TOP + bottom + BOTTOM}>
        <g role="img" aria-label={named} transform={`translate(${left},${TOP})`}>
          <g class="axes" aria-hidden="true">
            {x.ticks.map((tick) => (
              <g key={tick} transform={`translate(${x.place(tick)},0)`}>
                <line class={tick === 0 ? "base" : ""} y2={bottom} />
                <text y={bottom + 16} text-anchor="middle">
                  {plain(tick, 6).replace("-", "−")}
                </text>
              </g>
            ))}
            {terms.map((term, i) => (
              <text key={i} x={-10} y={(i + 0.5) * HEIGHT} dy="0.32em" text-anchor="end">
                {shorten(term, left - 14)}
                <title>{term}</title>
              </text>
            ))}
            <text class="title" x={across} y={bottom + 34} text-anchor="end">
              {unit}
            </text>
          </g>
          {coefficients.map((each, i) => (
            <g key={i} transform={`translate(0,${(i + 0.5) * HEIGHT})`}>
              <Interval at={-APART} class="was" ends={each.interval[0]} estimate={each.estimate[0]} place={x.place} />
              <Interval at={APART} class="is" ends={each.interval[1]} estimate={each.estimate[1]} place={x.place} />
            </g>
          ))}
        </g>
        <g transform={`translate(${left},${TOP})`}>
          <Marks
            named={named}
            marks={coefficients.map((each, i) => ({
              x: 0,
              y: i * HEIGHT,
              width: across,
              height: HEIGHT,
              lines: [
                terms[i]!,
                ...beforeAfter(estimate(each.estimate[0], each.interval[0]), estimate(each.estimate[1], each.interval[1])),
                words.overlap(percent(each.overlap)),
              ],
            }))}
          />
        </g>
      </svg>
      <div class="key">
        {(["was", "is"] as const).map((kind) => (
          <span key={kind}>
            <svg width="30" height="12" aria-hidden="true">
              <g transform="translate(0,6)">
                <Interval at={0} class={kind} ends={[1, 29]} estimate={15} place={(value) => value} />
              </g>
            </svg>
            {words[kind]}
          </span>
        ))}
      </div>
    </div>
  );
}

function estimate(value: number, [low, high]: readonly [number, number]): string {
  return words.estimate(plain(value), plain(low, 3), plain(high, 3));
}

interface IntervalProps {
  at: number;
  class: "was" | "is";
  ends: readonly [number, number];
  estimate: number;
  place(value: number): number;
}

function Interval({ at, class: kind, ends, estimate, place }: IntervalProps) {
  const [from, to] = [place(ends[0]), place(ends[1])];
  return (
    <g class={`interval ${kind}`} transform={`translate(0,${at})`}>
      <path d={`M${from.toFixed(1)} -3v6m0-3H${to.toFixed(1)}m0-3v6`} />
      <circle cx={place(estimate).toFixed(1)} r={4} />
    </g>
  );
}
