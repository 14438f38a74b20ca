import { computed, type ReadonlySignal } from "@preact/signals";
import { useId, useMemo } from "preact/hooks";
import { binned, edgesOf, exceedance } from "../histogram";
import type { Curve } from "../limit";
import { odds, plain } from "../numbers";
import { countTicks, logScale } from "../scale";
import { texts } from "../texts";
import { Axes } from "./Axes";
import { draggable, keyed, type Moves } from "./drag";
import { barsPath, stepsPath } from "./paths";
import { barMarks } from "./bars";
import { Marks } from "./Tip";
import { useWidth } from "./width";

export type Shape = "histogram" | "cumulative";

const LEFT = 56;
const RIGHT = 20;
const TOP = 52;
const BOTTOM = 68;
const LABEL = 180; // the widest that the limit says of itself

interface Props {
  curve: Curve;
  shape: Shape;
  limit: ReadonlySignal<number>;
  /** What the limit means, for those who hear the picture. */
  meaning: ReadonlySignal<string>;
  moves: Moves;
  tall?: number;
}

/**
 * The picture that a limit is chosen from.
 *
 * Everything is drawn once. A move changes three transforms and a few texts, whatever the size
 * of the file: the unsafe part is the same path again, uncovered by a clip that moves.
 */
export function Picture({ curve, shape, limit, meaning, moves, tall = 340 }: Props) {
  const id = useId();
  const [box, width] = useWidth<HTMLDivElement>(800);
  const drawn = useMemo(() => {
    const bottom = tall - TOP - BOTTOM;
    const edges = edgesOf(curve.risk[0] ?? 0.001, curve.risk.at(-1) ?? 1);
    const domain = { low: edges[0]!, high: edges.at(-1)! };
    const x = logScale(domain, Math.max(120, width - LEFT - RIGHT));
    const bins = binned(curve, edges);
    const largest = shape === "histogram" ? Math.max(...bins.map((b) => b.records)) : curve.records;
    const counts = countTicks(largest);
    const top = counts.at(-1)!;
    const height = (records: number) => (bottom * records) / top;
    const path =
      shape === "histogram"
        ? barsPath(bins, x, height, bottom)
        : stepsPath(exceedance(curve, domain), x, height, bottom);
    const marks = barMarks(curve, bins, x, bottom, texts.picture.countAxis.histogram);
    return { x, bottom, counts, height, path, marks };
  }, [curve, shape, width, tall]);
  const { x, bottom } = drawn;
  const signals = useMemo(() => {
    const place = computed(() => x.place(limit.value));
    const right = computed(() => place.value > Math.min(x.width * 0.6, x.width - LABEL));
    return {
      transform: computed(() => `translate(${place.value.toFixed(1)},0)`),
      label: computed(() => texts.picture.limitIs(plain(limit.value), odds(limit.value))),
      anchor: computed(() => (right.value ? "end" : "start")),
      beside: computed(() => (right.value ? -20 : 20)),
      safe: computed(() => (place.value < 70 ? "hidden" : "visible")),
      unsafe: computed(() => (x.width - place.value < 70 ? "hidden" : "visible")),
    };
  }, [x, limit]);
  const drag = useMemo(() => draggable(x, LEFT, moves), [x, moves]);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = keyed(event.key, limit.value, x);
    if (next === null) return;
    event.preventDefault();
    moves.move(next);
    moves.rest();
  };
  return (
    <div class="picture" ref={box}>
      <svg width={width} height={tall} role="group" aria-label={texts.picture.named[shape]} {...drag}>
        <defs>
          <clipPath id={id}>
            <rect y={-TOP} width={x.width + RIGHT} height={tall} transform={signals.transform} />
          </clipPath>
        </defs>
        <g transform={`translate(${LEFT},${TOP})`}>
          <Axes
            x={x}
            height={drawn.height}
            counts={drawn.counts}
            bottom={bottom}
            title={texts.picture.countAxis[shape]}
          />
          <path class="safe" d={drawn.path} />
          <g clip-path={`url(#${id})`}>
            <path class="unsafe" d={drawn.path} fill="url(#hatch)" />
          </g>
          <Marks marks={drawn.marks} named={texts.risk.picture} />
          <g
            class="limit"
            role="slider"
            tabindex={0}
            aria-label={texts.picture.limit}
            aria-orientation="horizontal"
            aria-valuemin={x.low}
            aria-valuemax={x.high}
            aria-valuenow={limit}
            aria-valuetext={meaning}
            transform={signals.transform}
            onKeyDown={onKeyDown}
          >
            <rect class="hit" x={-16} y={-34} width={32} height={bottom + 34} />
            <line y1={-14} y2={bottom} />
            <rect class="grip" x={-13} y={-34} width={26} height={22} rx={6} />
            <path class="arrows" d="M-4-27l-4 4 4 4M4-27l4 4-4 4" />
            <text class="says" y={-19} x={signals.beside} text-anchor={signals.anchor}>
              {signals.label}
            </text>
            <text class="side" y={12} x={-10} text-anchor="end" visibility={signals.safe}>
              {texts.picture.safe}
            </text>
            <text class="side" y={12} x={10} visibility={signals.unsafe}>
              {texts.picture.unsafe}
            </text>
          </g>
        </g>
      </svg>
    </div>
  );
}
