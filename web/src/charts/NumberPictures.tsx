import type { Axis, NumberPicture } from "../api";
import { count, percent, plain } from "../numbers";
import { Scroll } from "../parts/Scroll";
import { texts } from "../texts";
import { ShareAxis } from "./Axes";
import { outlinePath, roomyTicks, shade, sharesPath, shareTicks, stayShare } from "./bins";
import { Marks } from "./Tip";
import { useWidth } from "./width";

const words = texts.numbers;
const LEFT = 52;
const RIGHT = 14;
const TOP = 24;
const BOTTOM = 46;
const ROOM = 46; // pixels for the text of a tick

/** A number before and after: both distributions, and what became of each value. */
export function NumberPictures({ drawing, slim }: { drawing: NumberPicture; slim?: boolean }) {
  return (
    <div class="stack">
      <div class={slim ? "stack" : "pair"}>
        <figure>
          <figcaption>{words.distribution(drawing.name)}</figcaption>
          <Distribution drawing={drawing} />
          <BeforeAfterKey />
        </figure>
        <figure>
          <figcaption>{words.joint(drawing.name)}</figcaption>
          <Joint drawing={drawing} />
          <span class="hint">{words.jointHint}</span>
        </figure>
      </div>
      <details>
        <summary>{texts.asTable}</summary>
        <ShareTable drawing={drawing} />
      </details>
    </div>
  );
}

/** Both distributions on one axis: before as bars, after as an outline. */
function Distribution({ drawing, tall = 220 }: { drawing: NumberPicture; tall?: number }) {
  const [box, width] = useWidth<HTMLDivElement>(360);
  const across = Math.max(120, width - LEFT - RIGHT);
  const bottom = tall - TOP - BOTTOM;
  const shares = shareTicks(Math.max(...drawing.before, ...drawing.after));
  const height = (share: number) => (bottom * share) / shares.at(-1)!;
  return (
    <div class="picture" ref={box}>
      <svg width={width} height={tall}>
        <g role="img" aria-label={words.distribution(drawing.name)} transform={`translate(${LEFT},${TOP})`}>
          <g class="axes" aria-hidden="true">
            <ShareAxis ticks={shares} height={height} across={across} bottom={bottom} weighted={drawing.weighted} />
          </g>
          <path class="safe" d={sharesPath(drawing.before, across, height, bottom)} />
          <path class="after-line" d={outlinePath(drawing.after, across, height, bottom)} />
          <Below axis={drawing.axis} across={across} bottom={bottom} title={drawing.name} />
        </g>
        <g transform={`translate(${LEFT},${TOP})`}>
          <Marks
            named={words.distribution(drawing.name)}
            marks={drawing.before.map((share, i) => ({
              x: (i * across) / drawing.before.length,
              y: 0,
              width: across / drawing.before.length,
              height: bottom,
              lines: [
                `${drawing.name} ${rangeOf(drawing.axis, i)}`,
                ...beforeAfter(percent(share), percent(drawing.after[i]!)),
              ],
            }))}
          />
        </g>
      </svg>
    </div>
  );
}

/** Records by their value before (across) and after (upward); the darker, the more. */
function Joint({ drawing, tall = 300 }: { drawing: NumberPicture; tall?: number }) {
  const [box, width] = useWidth<HTMLDivElement>(360);
  const { axis, counts } = drawing.joint;
  const bins = counts.length;
  const bottom = tall - TOP - BOTTOM;
  const across = Math.max(120, Math.min(width - LEFT - RIGHT, 1.4 * bottom));
  const [wide, high] = [across / bins, bottom / bins];
  const largest = Math.max(1, ...counts.flat());
  const named = words.jointSaid(drawing.name, percent(stayShare(counts)));
  return (
    <div class="picture" ref={box}>
      <svg width={width} height={tall}>
        <g role="img" aria-label={named} transform={`translate(${LEFT},${TOP})`}>
          <rect class="field" width={across} height={bottom} />
          <line class="same" x1={0} y1={bottom} x2={across} y2={0} />
          {counts.flatMap((row, i) =>
            row.map((each, j) =>
              each > 0 ? (
                <rect
                  key={`${i} ${j}`}
                  class="dense"
                  x={(i * wide).toFixed(1)}
                  y={(bottom - (j + 1) * high).toFixed(1)}
                  width={(wide + 0.3).toFixed(1)}
                  height={(high + 0.3).toFixed(1)}
                  opacity={shade(each, largest).toFixed(2)}
                />
              ) : null,
            ),
          )}
          <g class="axes" aria-hidden="true">
            {roomyTicks(axis.ticks, bins, bottom, 18).map((tick) => (
              <g key={tick.value} transform={`translate(0,${bottom - (tick.at * bottom) / bins})`}>
                <line class="base" x1={-4} />
                <text x={-8} dy="0.32em" text-anchor="end">
                  {short(tick.value)}
                </text>
              </g>
            ))}
            <text class="title" x={-LEFT + 4} y={-10}>
              {words.after}
            </text>
          </g>
          <Below axis={axis} across={across} bottom={bottom} title={words.before} />
        </g>
        <g transform={`translate(${LEFT},${TOP})`}>
          <Marks
            named={named}
            row={bins}
            marks={counts.flatMap((_, j) =>
              counts.map((row, i) => ({
                x: i * wide,
                y: j * high,
                width: wide,
                height: high,
                lines: [
                  ...beforeAfter(rangeOf(axis, i), rangeOf(axis, bins - 1 - j)),
                  words.records(few(row[bins - 1 - j]!)),
                ],
              })),
            )}
          />
        </g>
      </svg>
    </div>
  );
}

export function Below({ axis, across, bottom, title }: { axis: Axis; across: number; bottom: number; title: string }) {
  const bins = axis.edges.length - 1;
  const scale = axis.scale === "linear" ? "" : ` ${words.log}`;
  return (
    <g class="axes" aria-hidden="true">
      <line class="base" x2={across} y1={bottom} y2={bottom} />
      {roomyTicks(axis.ticks, bins, across, ROOM).map((tick) => (
        <g key={tick.value} transform={`translate(${(tick.at * across) / bins},0)`}>
          <line class="base" y1={bottom} y2={bottom + 5} />
          <text y={bottom + 18} text-anchor={tick.at > bins - 0.3 ? "end" : "middle"} dx={tick.at > bins - 0.3 ? RIGHT - 2 : 0}>
            {short(tick.value)}
          </text>
        </g>
      ))}
      <text class="title" x={across} y={bottom + 36} text-anchor="end">
        {title}
        {scale}
      </text>
    </g>
  );
}

/** A round number in few characters. */
function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${plain(value / 1e9, 3)} bn`;
  if (size >= 1e6) return `${plain(value / 1e6, 3)} m`;
  if (size >= 1e4) return `${plain(value / 1e3, 3)} k`;
  return plain(value, 4);
}

/** Two lines of a tip: what was, and what is. */
export function beforeAfter(before: string, after: string): string[] {
  return [words.was(before), words.is(after)];
}

/** A count that singles nobody out. */
function few(records: number): string {
  return records > 0 && records < 3 ? words.few : count(records);
}

/** The values of a bin; the outermost bins are open. */
function rangeOf({ edges }: Axis, bin: number): string {
  const [from, to] = [plain(edges[bin]!, 4), plain(edges[bin + 1]!, 4)];
  if (bin === 0) return words.below(to);
  return bin === edges.length - 2 ? words.from(from) : words.between(from, to);
}

export function BeforeAfterKey() {
  return (
    <div class="key">
      <span>
        <svg width="16" height="12" aria-hidden="true">
          <rect class="safe" width="16" height="12" rx="2" />
        </svg>
        {words.before}
      </span>
      <span>
        <svg width="16" height="12" aria-hidden="true">
          <path class="after-line" d="M0 9H6V3H16" />
        </svg>
        {words.after}
      </span>
    </div>
  );
}

function ShareTable({ drawing }: { drawing: NumberPicture }) {
  const { edges } = drawing.axis;
  const caption = words.distribution(drawing.name);
  return (
    <Scroll label={caption} tall>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {[texts.picture.table.from, texts.picture.table.to, words.before, words.after].map((head) => (
              <th scope="col" class="number" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drawing.before.map((share, i) => (
            <tr key={i}>
              <td class="number">{i === 0 ? "" : plain(edges[i]!, 6)}</td>
              <td class="number">{i === drawing.before.length - 1 ? "" : plain(edges[i + 1]!, 6)}</td>
              <td class="number">{percent(share)}</td>
              <td class="number">{percent(drawing.after[i]!)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
