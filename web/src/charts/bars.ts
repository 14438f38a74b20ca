/** What the bars of a histogram of risk tell. */

import { recordsUpTo, type Bin } from "../histogram";
import type { Curve } from "../limit";
import { count, percent, plain } from "../numbers";
import type { Scale } from "../scale";
import { texts } from "../texts";
import type { Mark } from "./marks";

/** A mark over the whole height for each bar that holds something. */
export function barMarks(curve: Curve, bins: readonly Bin[], x: Scale, bottom: number, counted: string): Mark[] {
  const words = texts.picture.bar;
  return bins
    .filter((bin) => bin.records > 0)
    .map((bin) => ({
      x: x.place(bin.from),
      y: 0,
      width: x.place(bin.to) - x.place(bin.from),
      height: bottom,
      lines: [
        words.risk(plain(bin.from, 3), plain(bin.to, 3)),
        words.counted(count(bin.records), counted, percent(bin.records / curve.records)),
        words.above(count(curve.records - recordsUpTo(curve, bin.to))),
      ],
    }));
}
