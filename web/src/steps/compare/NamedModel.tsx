import { useAnswer } from "../../answer";
import type { Coefficient, ModelDetail, ModelSide } from "../../api";
import { Forest } from "../../charts/Forest";
import { count, percent, plain, signed } from "../../numbers";
import { Definitions } from "../../parts/Definitions";
import { Notice } from "../../parts/Notice";
import { Figures } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { texts } from "../../texts";
import type { Counting } from "./Named";
import { NamedCard } from "./NamedCard";

const words = texts.uses;

interface Props {
  formula: string;
  to: number;
  counting: Counting;
  onRemove(): void;
}

/** A model that was named, before and after. */
export function NamedModel({ formula, to, counting, onRemove }: Props) {
  const answer = useAnswer("GET /api/compare/model", { formula, to });
  return (
    <NamedCard name={formula} answer={answer} onRemove={onRemove}>
      {(found) => <Shown found={found} counting={counting} />}
    </NamedCard>
  );
}

function Shown({ found, counting }: { found: ModelDetail; counting: Counting }) {
  const side = (counting === "weighted" && found.weighted) || found.plain;
  if (side.problem || !side.coefficients.length) {
    return <Notice tone="bad">{words.noModel(side.problem)}</Notice>;
  }
  const least = leastOf(side.coefficients);
  const { modelFigures: figures } = words;
  const named = words.modelSaid(found.formula, percent(side.overlap), percent(least.overlap), least.term);
  return (
    <>
      <p>{words.kinds[found.kind]}</p>
      <Figures
        figures={[
          { name: figures.overlap, value: percent(side.overlap) },
          { name: figures.least, value: percent(least.overlap), note: least.term },
          { name: figures.before, value: count(side.records[0]) },
          { name: figures.after, value: count(side.records[1]) },
        ]}
      />
      <figure>
        <Forest
          coefficients={side.coefficients}
          unit={words.unit[found.kind](found.outcome)}
          named={named}
        />
        <span class="hint">
          {side.constant && words.constant}{" "}
          {side.coefficients.some((each) => each.deviation) && words.deviations}
        </span>
      </figure>
      {side.lost.length > 0 && <Notice tone="warn">{words.lostTerms(side.lost.join(", "))}</Notice>}
      <Definitions of={words.overlapMeaning} />
      <details>
        <summary>{texts.asTable}</summary>
        <Coefficients found={found} side={side} />
      </details>
    </>
  );
}

function leastOf(coefficients: readonly Coefficient[]): Coefficient {
  return coefficients.reduce((one, other) => (other.overlap < one.overlap ? other : one));
}

/** The same as the picture, for reading: absolute and relative changes in columns of their own. */
function Coefficients({ found, side }: { found: ModelDetail; side: ModelSide }) {
  const { modelHeads: heads } = words;
  const caption = words.modelOf(found.formula);
  const rows = side.constant ? [side.constant, ...side.coefficients] : side.coefficients;
  return (
    <Scroll label={caption} tall>
      <table class="cells">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{heads.term}</th>
            {[
              heads.before,
              heads.after,
              heads.intervalBefore,
              heads.intervalAfter,
              heads.change,
              heads.relative,
              heads.overlap,
            ].map((head) => (
              <th scope="col" class="number" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((each) => (
            <tr key={each.term}>
              <th scope="row">{each.term}</th>
              <td class="number">{plain(each.estimate[0])}</td>
              <td class="number">{plain(each.estimate[1])}</td>
              <td class="number">{interval(each.interval[0])}</td>
              <td class="number">{interval(each.interval[1])}</td>
              <td class="number">{signed(each.estimate[1] - each.estimate[0], plain)}</td>
              <td class="number">
                {each.estimate[0] ? signed((each.estimate[1] - each.estimate[0]) / Math.abs(each.estimate[0]), one) : "–"}
              </td>
              <td class="number">{(100 * each.overlap).toFixed(1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

const one = (share: number) => (100 * share).toFixed(1);

function interval([low, high]: readonly [number, number]): string {
  return words.interval(plain(low, 3), plain(high, 3));
}
