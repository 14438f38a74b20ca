import { count, odds, plain } from "../numbers";
import { ticks, type Scale } from "../scale";
import { texts } from "../texts";
import type { Height } from "./paths";

interface Props {
  x: Scale;
  height: Height;
  counts: readonly number[];
  bottom: number;
  title: string;
}

/** Grid, counts on the left, risk below and the same as odds above. */
export function Axes({ x, height, counts, bottom, title }: Props) {
  const room = x.width / 84;
  const shown = ticks(x);
  const every = Math.ceil(shown.length / room);
  const labelled = shown.filter((_, i) => i % every === 0);
  return (
    <g class="axes" aria-hidden="true">
      {counts.map((tick) => (
        <g key={tick} transform={`translate(0,${bottom - height(tick)})`}>
          <line x2={x.width} />
          <text x={-8} dy="0.32em" text-anchor="end">
            {count(tick)}
          </text>
        </g>
      ))}
      <line class="base" x2={x.width} y1={bottom} y2={bottom} />
      {labelled.map((tick) => (
        <g key={tick} transform={`translate(${x.place(tick)},0)`}>
          <line class="base" y1={bottom} y2={bottom + 5} />
          <text y={bottom + 20} text-anchor="middle">
            {plain(tick)}
          </text>
          <text class="odds" y={bottom + 36} text-anchor="middle">
            {odds(tick)}
          </text>
        </g>
      ))}
      <text class="title" x={x.width} y={bottom + 56} text-anchor="end">
        {texts.picture.riskAxis}
      </text>
      <text class="title" x={-52} y={-12}>
        {title}
      </text>
    </g>
  );
}

interface ShareProps {
  ticks: readonly number[];
  height: (share: number) => number;
  across: number;
  bottom: number;
  /** Whether shares are of the people that records stand for. */
  weighted: boolean;
}

/** Grid, and shares on the left. */
export function ShareAxis({ ticks: shares, height, across, bottom, weighted }: ShareProps) {
  return (
    <>
      {shares.map((share) => (
        <g key={share} transform={`translate(0,${bottom - height(share)})`}>
          <line x2={across} />
          <text x={-8} dy="0.32em" text-anchor="end">
            {plain(100 * share, 3)} %
          </text>
        </g>
      ))}
      <text class="title" x={-48} y={-10}>
        {weighted ? texts.numbers.ofPeople : texts.numbers.ofRecords}
      </text>
    </>
  );
}
