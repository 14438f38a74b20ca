import type { CorrelationChange, UtilityFigures } from "../../api";
import { NumberPictures } from "../../charts/NumberPictures";
import { figure, plain, plural, signed } from "../../numbers";
import { NumberEffects } from "../../parts/NumberEffects";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { texts } from "../../texts";

const words = texts.numbers;

/** What an analyst of numeric variables finds: figures, pictures, correlations. */
export function Numbers({ utility }: { utility: UtilityFigures }) {
  const { correlations, pmse, pmse_ratio: ratio } = utility;
  return (
    <>
      {utility.numbers.length > 0 && (
        <Card title={words.title}>
          <NumberEffects numbers={utility.numbers} />
          {utility.pictures.map((each, i) => (
            <details key={each.name} open={i === 0}>
              <summary>{words.pictures(each.name)}</summary>
              <NumberPictures drawing={each} />
            </details>
          ))}
          {pmse !== null && ratio !== null && (
            <p class="hint">{words.propensity(figure(pmse, 3), ratio)}</p>
          )}
        </Card>
      )}
      {correlations && <Correlations found={correlations} />}
    </>
  );
}

const DARKEST = 0.2; // a change of this much, or more, has the full tint

function Correlations({ found }: { found: CorrelationChange }) {
  return (
    <Card title={words.correlations}>
      <p class="hint">
        {words.correlationsIntro(
          plural(found.pairs, "pair"),
          plain(found.largest, 3),
          found.where.join(", "),
          plain(found.mean, 3),
        )}{" "}
        {found.weighted && words.correlationsWeighted}
      </p>
      <Scroll label={words.correlationsTable}>
        <table class="tinted">
          <caption class="hidden">{words.correlationsTable}</caption>
          <thead>
            <tr>
              <td />
              {found.names.slice(0, -1).map((name) => (
                <th scope="col" class="number" key={name}>
                  <code>{name}</code>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.names.slice(1).map((name, i) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                {found.names.slice(0, i + 1).map((other, j) => {
                  const [old, now] = [found.before[i + 1]![j]!, found.after[i + 1]![j]!];
                  const change = Number((now - old).toFixed(3));
                  return (
                    <td
                      class="number"
                      key={other}
                      title={words.correlation(old.toFixed(3), now.toFixed(3))}
                      style={{ "--tint": `${Math.round(100 * Math.min(1, Math.abs(change) / DARKEST) * 0.45)}%` }}
                    >
                      {change === 0 ? "0" : signed(change, (value) => value.toFixed(3))}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Card>
  );
}
