import type { Axis } from "../api";
import { ShareAxis } from "./Axes";
import { sharesPath, shareTicks } from "./bins";
import { Below } from "./NumberPictures";
import { Marks } from "./Tip";
import { useWidth } from "./width";

const LEFT = 52;
const RIGHT = 14;
const TOP = 24;
const BOTTOM = 46;

interface Props {
  axis: Axis;
  variable: string;
  /** Of each bin; null where it is masked. */
  shares: readonly (number | null)[];
  weighted: boolean;
  /** What it shows in a sentence, for those who hear it. */
  named: string;
  /** What each bin says to those who point at it. */
  titles: readonly string[];
  tall?: number;
}

/** A number in bins; masked ones have a mark of no height of their own. */
export function CountHistogram({ axis, variable, shares, weighted, named, titles, tall = 280 }: Props) {
  const [box, width] = useWidth<HTMLDivElement>(640);
  const across = Math.max(120, width - LEFT - RIGHT);
  const bottom = tall - TOP - BOTTOM;
  const known = shares.map((each) => each ?? 0);
  const ticks = shareTicks(Math.max(...known));
  const height = (share: number) => (bottom * share) / ticks.at(-1)!;
  const step = across / shares.length;
  return (
    <div class="picture" ref={box}>
      <svg width={width} height={tall}>
        <g role="img" aria-label={named} transform={`translate(${LEFT},${TOP})`}>
          <g class="axes" aria-hidden="true">
            <ShareAxis ticks={ticks} height={height} across={across} bottom={bottom} weighted={weighted} />
          </g>
          <path class="safe" d={sharesPath(known, across, height, bottom)} />
          {shares.map((share, i) => (
            <rect
              key={i}
              class={share === null ? "bin masked" : "bin"}
              x={(i * step).toFixed(1)}
              y={share === null ? bottom - 10 : 0}
              width={Math.max(1, step - 1).toFixed(1)}
              height={share === null ? 10 : bottom}
            />
          ))}
          <Below axis={axis} across={across} bottom={bottom} title={variable} />
        </g>
        <g transform={`translate(${LEFT},${TOP})`}>
          <Marks
            named={named}
            marks={titles.map((title, i) => ({ x: i * step, y: 0, width: step, height: bottom, lines: [title] }))}
          />
        </g>
      </svg>
    </div>
  );
}
