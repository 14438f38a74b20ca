/** Shapes of the pictures as SVG paths, one for all bars: a path is cheap to clip and to move. */

import type { Bin, Point } from "../histogram";
import type { Scale } from "../scale";

export type Height = (records: number) => number;

/** All bars as one path; a bar that is not empty is at least a pixel high. */
export function barsPath(bins: readonly Bin[], x: Scale, height: Height, bottom: number): string {
  return bins
    .filter((bin) => bin.records > 0)
    .map((bin) => {
      const left = x.place(bin.from);
      const width = Math.max(1, x.place(bin.to) - left - 1);
      const tall = Math.max(1, height(bin.records));
      return `M${left.toFixed(1)} ${bottom}v${(-tall).toFixed(1)}h${width.toFixed(1)}V${bottom}z`;
    })
    .join("");
}

/** The area under the exceedance curve, in steps. */
export function stepsPath(points: readonly Point[], x: Scale, height: Height, bottom: number): string {
  const first = points[0];
  if (!first) return "";
  const parts = [`M${x.place(first.risk).toFixed(1)} ${bottom}`];
  for (const point of points) {
    parts.push(`H${x.place(point.risk).toFixed(1)}V${(bottom - height(point.above)).toFixed(1)}`);
  }
  return `${parts.join("")}H${x.width}V${bottom}z`;
}
