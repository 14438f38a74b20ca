import { useMemo } from "preact/hooks";
import type { Figures, RiskFigures, RiskPair } from "../../api";
import { BinTable, commonEdges } from "../../charts/BinTable";
import { Legend } from "../../charts/Legend";
import { largestBar, StillPicture } from "../../charts/StillPicture";
import { pointsCurve } from "../../choice";
import { exactAt, limitAt, type Curve } from "../../limit";
import { limitOf } from "../../limits";
import { Card } from "../../parts/Page";
import { study } from "../../state";
import { texts } from "../../texts";
import { BeforeAfter } from "../protect/PreviewPanel";

const words = texts.compare;

/** The two pictures on the same axes, and the figures below. */
export function Pictures({ pair }: { pair: RiskPair }) {
  const limit = limitOf(study.value, pair.before.scenario);
  const { before, after, edges, largest } = useMemo(() => {
    const curves = [pointsCurve(pair.before.curve), pointsCurve(pair.after.curve)] as const;
    const common = commonEdges(curves);
    return { before: curves[0], after: curves[1], edges: common, largest: largestBar(curves, common) };
  }, [pair]);
  const shared = { edges, largest, limit };
  return (
    <Card title={words.figures}>
      <div class="pair">
        {[[words.before, before] as const, [words.after, after] as const].map(([when, curve]) => (
          <figure key={when}>
            <figcaption>{when}</figcaption>
            <StillPicture curve={curve} {...shared} named={words.pictureOf(when)} />
          </figure>
        ))}
      </div>
      <Legend />
      <details>
        <summary>{texts.asTable}</summary>
        <BinTable
          caption={words.pictures}
          curves={[
            { name: words.before, curve: before },
            { name: words.after, curve: after },
          ]}
        />
      </details>
      <BeforeAfter
        before={figuresOf(pair.before, before, limit)}
        after={figuresOf(pair.after, after, limit)}
        approximate={
          [before, after].map((curve) => limit !== null && !exactAt(curve, limit)) as [boolean, boolean]
        }
      />
    </Card>
  );
}

function figuresOf(found: RiskFigures, curve: Curve, limit: number | null): Figures {
  const { expected, rate, max, sample_uniques } = found;
  return {
    expected,
    rate,
    max,
    sample_uniques,
    unsafe: limit === null ? null : limitAt(curve, limit).unsafe,
    perturbed_by: found.perturbed,
  };
}
