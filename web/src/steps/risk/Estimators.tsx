import { computed } from "@preact/signals";
import type { RiskFigures } from "../../api";
import { approximate, meaning, unsafeByOther } from "../../choice";
import { count, figure, odds, percent, plain, ratePercent } from "../../numbers";
import { Button } from "../../parts/Button";
import { Term } from "../../parts/Glossary";
import { Notice } from "../../parts/Notice";
import { Card } from "../../parts/Page";
import { Segments } from "../../parts/Segments";
import { change, study } from "../../state";
import { texts } from "../../texts";
import { underEstimator } from "../scenario/draft";
import { Scroll } from "../../parts/Scroll";

const words = texts.risk.estimators;

/** Which estimator to use, and both side by side where many records are sample uniques. */
export function Estimators({ found }: { found: RiskFigures }) {
  const { other } = found;
  const known = study.value!.scenarios.find((each) => each.name === found.scenario);
  if (!known?.weight) return null; // without one there is nothing to choose
  const use = (estimator: RiskFigures["estimator"]) =>
    void change("PUT /api/scenario", () => {
      const now = study.value!.scenarios.find((each) => each.name === found.scenario) ?? known;
      return { body: underEstimator(now, estimator) };
    });
  return (
    <Card
      title={<Term name="estimator">{other ? words.title : words.alone}</Term>}
      aside={<Segments label={words.alone} options={words.names} value={found.estimator} onChange={use} />}
    >
      <Proposal found={found} use={use} />
      {other && <SideBySide found={found} other={other} />}
      {other?.much_higher && (
        <Notice tone="warn">{words.higher(figure(other.expected, 4), figure(other.ratio, 3))}</Notice>
      )}
    </Card>
  );
}

const SPARSE = 0.05; // after suppression fewer may be left than the proposal is about

/** The estimator that the file needs, with the reason, to be taken with one click. */
function Proposal({ found, use }: { found: RiskFigures; use(estimator: RiskFigures["estimator"]): void }) {
  const share = found.sample_uniques / found.records;
  if (found.proposed === found.estimator) return <p class="hint">{words.inForce[found.estimator]}</p>;
  return (
    <Notice tone="info" title={words.proposed(found.proposed)}>
      {share < SPARSE ? words.before : words.many(percent(share), found.perturbed)} {words.why}{" "}
      <Button small onClick={() => use(found.proposed)}>
        {words.use(found.proposed)}
      </Button>
    </Notice>
  );
}

const sign = computed(() => (approximate.value ? "≈ " : ""));
const unsafe = computed(() => sign.value + count(meaning.value.unsafe));
const unsafeBeside = computed(() =>
  unsafeByOther.value === null ? "–" : sign.value + count(unsafeByOther.value),
);

function SideBySide({ found, other }: { found: RiskFigures; other: NonNullable<RiskFigures["other"]> }) {
  const names = texts.risk.figures;
  const sides = [found, other];
  const risk = (value: number) => `${plain(value, 3)} (${odds(value)})`;
  return (
    <Scroll label={words.title}>
      <table>
        <caption class="hidden">{words.title}</caption>
        <thead>
          <tr>
            <th scope="col">{words.measure}</th>
            <th scope="col" class="number">
              {words.decides(words.names[found.estimator])}
            </th>
            <th scope="col" class="number">
              {words.names[other.estimator]}
            </th>
          </tr>
        </thead>
        <tbody>
          <Row name={names.max} cells={sides.map((each) => risk(each.max))} />
          <Row name={names.expected} cells={sides.map((each) => figure(each.expected, 4))} />
          <Row name={names.rate} cells={sides.map((each) => ratePercent(each.rate))} />
          <Row name={words.above} cells={[unsafe, unsafeBeside]} />
        </tbody>
      </table>
    </Scroll>
  );
}

function Row({ name, cells }: { name: string; cells: readonly (string | typeof unsafe)[] }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {cells.map((each, i) => (
        <td key={i} class="number">
          {each}
        </td>
      ))}
    </tr>
  );
}
