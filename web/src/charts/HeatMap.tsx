import { Scroll } from "../parts/Scroll";
import { texts } from "../texts";
import { shorten, strongest, tint, widthOf, type Measure } from "./heat";
import { beforeAfter } from "./NumberPictures";
import { Marks } from "./Tip";
import { useWidth } from "./width";

const words = texts.uses.heat;
const GAP = 2;
const HEIGHT = 30;
const LOW = 16; // of a row where there are many
const NARROW = 16; // of a column: more of them are scrolled to
const WRITTEN = 50; // pixels that a figure in a cell needs
const MANY = 24; // rows

interface Props {
  names: readonly [string, string];
  rows: readonly string[];
  columns: readonly string[];
  before: readonly (readonly number[])[];
  after: readonly (readonly number[])[];
  changes: readonly (readonly (number | null)[])[];
  measure: Measure;
  /** What it shows in a sentence, for those who hear it. */
  named: string;
}

/** How each cell of a table changed: the stronger the tint, the more. */
export function HeatMap({ names, rows, columns, before, after, changes, measure, named }: Props) {
  const [box, width] = useWidth<HTMLDivElement>(640);
  const most = strongest(changes, measure);
  const left = widthOf(rows, 40, Math.min(170, 0.3 * width)) + 12;
  const fit = (right: number) => Math.max(NARROW, Math.min(120, (width - left - right) / columns.length));
  const upright = widthOf(columns, 0, 200) + 8 <= fit(8);
  const slant = upright ? 0 : widthOf(columns, 20, 110) * 0.72;
  const right = upright ? 8 : Math.max(8, slant + 14 - fit(8) / 2); // what the last name needs
  const wide = fit(right);
  const top = 46 + slant;
  const high = rows.length > MANY ? LOW : HEIGHT;
  const whole = Math.max(width, left + wide * columns.length + right);
  return (
    <div ref={box}>
      <Scroll label={named} tall={rows.length > MANY}>
        <svg class="heat" width={whole} height={top + high * rows.length + 4}>
          <g role="img" aria-label={named}>
            <g class="axes" aria-hidden="true">
              <text class="title" x={left - 8} y={12} text-anchor="end">
                {shorten(names[0], left - 8)}
              </text>
              <text class="title" x={left} y={12}>
                {shorten(names[1], whole - left)}
              </text>
              {columns.map((name, j) => (
                <g key={j} transform={`translate(${left + (j + 0.5) * wide},${top - 8})`}>
                  {upright ? (
                    <text text-anchor="middle">{name}</text>
                  ) : (
                    <text transform="rotate(-45)" x={2}>
                      {shorten(name, 110)}
                      <title>{name}</title>
                    </text>
                  )}
                </g>
              ))}
              {rows.map((name, i) => (
                <text key={i} x={left - 8} y={top + (i + 0.5) * high} dy="0.32em" text-anchor="end">
                  {shorten(name, left - 12)}
                  <title>{name}</title>
                </text>
              ))}
            </g>
            {changes.map((row, i) =>
              row.map((change, j) => (
                <g key={`${i} ${j}`} transform={`translate(${left + j * wide},${top + i * high})`}>
                  <rect class="field" width={wide - GAP} height={high - GAP} rx={2} />
                  {change !== null && change !== 0 && (
                    <rect
                      class={change > 0 ? "rise" : "fall"}
                      width={wide - GAP}
                      height={high - GAP}
                      rx={2}
                      opacity={(0.72 * tint(change, most)).toFixed(3)}
                    />
                  )}
                  {wide >= WRITTEN && high === HEIGHT && (
                    <text class="cell" x={(wide - GAP) / 2} y={(high - GAP) / 2} dy="0.34em" text-anchor="middle">
                      {shown(change, measure)}
                    </text>
                  )}
                </g>
              )),
            )}
          </g>
          <Marks
            named={named}
            row={columns.length}
            marks={changes.flatMap((row, i) =>
              row.map((change, j) => ({
                x: left + j * wide,
                y: top + i * high,
                width: wide - GAP,
                height: high - GAP,
                lines: [
                  `${rows[i]} × ${columns[j]}`,
                  ...beforeAfter(share(before[i]![j]!), share(after[i]![j]!)),
                  words.change(shown(change, measure), words.unit[measure]),
                ],
              })),
            )}
          />
        </svg>
      </Scroll>
      <HeatKey most={most} measure={measure} />
    </div>
  );
}

export function share(value: number): string {
  return `${(100 * value).toFixed(2)} %`;
}

/** A change with its sign, in percentage points or per cent. */
export function shown(change: number | null, measure: Measure): string {
  if (change === null) return "–";
  const digits = measure === "points" ? 2 : 1;
  const size = Math.abs(100 * change).toFixed(digits);
  if (Number(size) === 0) return change === 0 ? "0" : `±${size}`;
  return `${change > 0 ? "+" : "−"}${size}`;
}

function HeatKey({ most, measure }: { most: number; measure: Measure }) {
  const strengths = [1, 0.25, 0.04];
  return (
    <div class="key">
      <span>
        {words.least(shown(-most, measure), words.unit[measure])}
        <svg width={7 * 18} height="12" aria-hidden="true">
          {[...strengths, 0, ...strengths.toReversed()].map((strength, i) => (
            <g key={i} transform={`translate(${18 * i},0)`}>
              <rect class="field" width="17" height="12" rx="2" />
              <rect
                class={i < 3 ? "fall" : "rise"}
                width="17"
                height="12"
                rx="2"
                opacity={(0.72 * tint(strength, 1)).toFixed(3)}
              />
            </g>
          ))}
        </svg>
        {words.most(shown(most, measure), words.unit[measure])}
      </span>
    </div>
  );
}
