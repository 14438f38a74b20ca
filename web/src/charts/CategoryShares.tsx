import { percent } from "../numbers";
import { ShareAxis } from "./Axes";
import { outlinePath, sharesPath, shareTicks } from "./bins";
import { shorten, widthOf } from "./heat";
import { beforeAfter, BeforeAfterKey } from "./NumberPictures";
import { Marks } from "./Tip";
import { useWidth } from "./width";

const LEFT = 52;
const RIGHT = 14;
const TOP = 24;

interface Props {
  variable: string;
  categories: readonly string[];
  before: readonly number[];
  after: readonly number[];
  weighted: boolean;
  named: string;
}

/** The categories of a variable: before as bars, after as an outline. */
export function CategoryShares({ variable, categories, before, after, weighted, named }: Props) {
  const [box, width] = useWidth<HTMLDivElement>(640);
  const across = Math.max(120, width - LEFT - RIGHT);
  const step = across / categories.length;
  const upright = widthOf(categories, 0, 300) + 8 <= step;
  const below = upright ? 44 : 34 + widthOf(categories, 20, 110) * 0.72;
  const every = Math.ceil(14 / step);
  const bottom = 170;
  const shares = shareTicks(Math.max(...before, ...after));
  const height = (share: number) => (bottom * share) / shares.at(-1)!;
  return (
    <div class="picture" ref={box}>
      <svg width={width} height={TOP + bottom + below}>
        <g role="img" aria-label={named} transform={`translate(${LEFT},${TOP})`}>
          <g class="axes" aria-hidden="true">
            <ShareAxis ticks={shares} height={height} across={across} bottom={bottom} weighted={weighted} />
            {categories.map((name, i) =>
              i % every ? null : (
                <g key={i} transform={`translate(${(i + 0.5) * step},${bottom + 16})`}>
                  {upright ? (
                    <text text-anchor="middle">{name}</text>
                  ) : (
                    <text transform="rotate(-45)" text-anchor="end">
                      {shorten(name, 110)}
                    </text>
                  )}
                </g>
              ),
            )}
            <text class="title" x={across} y={bottom + below - 6} text-anchor="end">
              {variable}
            </text>
          </g>
          <path class="safe" d={sharesPath(before, across, height, bottom)} />
          <path class="after-line" d={outlinePath(after, across, height, bottom)} />
          <line class="base" x2={across} y1={bottom} y2={bottom} />
        </g>
        <g transform={`translate(${LEFT},${TOP})`}>
          <Marks
            named={named}
            marks={categories.map((name, i) => ({
              x: i * step,
              y: 0,
              width: step,
              height: bottom,
              lines: [name, ...beforeAfter(percent(before[i]!), percent(after[i]!))],
            }))}
          />
        </g>
      </svg>
      <BeforeAfterKey />
    </div>
  );
}
