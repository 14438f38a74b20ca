import { useMemo } from "preact/hooks";
import { binned } from "../histogram";
import type { Curve } from "../limit";
import { plain } from "../numbers";
import { countTicks, logScale } from "../scale";
import { texts } from "../texts";
import { Axes } from "./Axes";
import { barsPath } from "./paths";
import { barMarks } from "./bars";
import { Marks } from "./Tip";
import { useWidth } from "./width";

const LEFT = 56;
const RIGHT = 20;
const TOP = 30;
const BOTTOM = 68;

interface Props {
  curve: Curve;
  /** Edges and largest bar are shared, so that two pictures can be compared. */
  edges: readonly number[];
  largest: number;
  limit: number | null;
  named: string;
  /** What the bars count; records unless it says otherwise. */
  counted?: string;
  tall?: number;
}

/** A histogram with the limit, to look at. */
export function StillPicture({ curve, edges, largest, limit, named, counted, tall = 260 }: Props) {
  const [box, width] = useWidth<HTMLDivElement>(420);
  const bottom = tall - TOP - BOTTOM;
  const x = logScale({ low: edges[0]!, high: edges.at(-1)! }, Math.max(120, width - LEFT - RIGHT));
  const counts = countTicks(largest, 4);
  const height = (records: number) => (bottom * records) / counts.at(-1)!;
  const bins = useMemo(() => binned(curve, edges), [curve, edges]);
  const place = limit === null ? x.width : x.place(limit);
  const unsafe = bins.filter((bin) => limit !== null && bin.to > limit);
  return (
    <div class="picture" ref={box}>
      <svg width={width} height={tall}>
        <g role="img" aria-label={named} transform={`translate(${LEFT},${TOP})`}>
          <Axes
            x={x}
            height={height}
            counts={counts}
            bottom={bottom}
            title={counted ?? texts.picture.countAxis.histogram}
          />
          <path
            class="safe"
            d={barsPath(
              bins.filter((bin) => !unsafe.includes(bin)),
              x,
              height,
              bottom,
            )}
          />
          <path d={barsPath(unsafe, x, height, bottom)} fill="url(#hatch)" />
          {limit !== null && (
            <g class="still" transform={`translate(${place},0)`}>
              <line y1={-8} y2={bottom} />
              <text class="says" y={-14} text-anchor={place > x.width / 2 ? "end" : "start"}>
                {texts.picture.limit} {plain(limit)}
              </text>
            </g>
          )}
        </g>
        <g transform={`translate(${LEFT},${TOP})`}>
          <Marks marks={barMarks(curve, bins, x, bottom, counted ?? texts.picture.countAxis.histogram)} named={named} />
        </g>
      </svg>
    </div>
  );
}

/** The largest bar of several curves. */
export function largestBar(curves: readonly Curve[], edges: readonly number[]): number {
  return Math.max(...curves.flatMap((curve) => binned(curve, edges).map((bin) => bin.records)));
}
