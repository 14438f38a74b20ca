import type { PerturbedFigures, RiskFigures, StepTaken } from "../../api";
import { count, figure, plural } from "../../numbers";
import { Term } from "../../parts/Glossary";
import { Notice } from "../../parts/Notice";
import { Card, Figures, type Figure } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { study } from "../../state";
import { texts } from "../../texts";

const words = texts.risk.perturbation;

/** In place of a figure that stopped being evidence. */
export function NotMeaningful() {
  return <span class="no-figure">{texts.risk.notMeaningful}</span>;
}

interface Props {
  found: RiskFigures;
  perturbation: PerturbedFigures;
}

/** What changing keys at random did to the risk, and whether it came out as expected. */
export function PerturbationCard({ found, perturbation }: Props) {
  const steps = study.value!.steps.filter(({ step }) => step.do === "pram" || step.do === "swap");
  return (
    <Card title={<Term name="perturbation">{words.title}</Term>}>
      <p class="hint">{words.intro(perturbation.words)}</p>
      <Figures figures={figuresOf(found, perturbation)} />
      <p class="hint">
        {perturbation.informed_gain === null ? words.informedSwap : words.informedHint}
      </p>
      {steps.map((each) => (
        <Results key={each.number} step={each} />
      ))}
      <Notice tone="info">{words.meaningless(perturbation.words)}</Notice>
    </Card>
  );
}

function figuresOf(found: RiskFigures, told: PerturbedFigures): Figure[] {
  const realised = told.kept_realised;
  const shown: Figure[] = [
    { name: words.expected, value: figure(found.expected, 4), note: words.was(figure(told.expected_before, 4)) },
    {
      name: words.kept,
      value: figure(told.kept_expected, 4),
      ...(realised === null ? {} : { note: words.realised(figure(realised, 4)) }),
    },
    {
      name: words.informed,
      value: told.informed_gain === null ? words.informedNone : words.times(figure(told.informed_gain, 3)),
    },
  ];
  if (told.new_combinations === null) return shown;
  const records = words.records(plural(told.new_records ?? 0, "record"));
  return [...shown, { name: words.made, value: count(told.new_combinations), note: records }];
}

/** What a step did: values kept against those expected, or households that moved. */
function Results({ step }: { step: StepTaken }) {
  return (
    <Scroll label={words.steps}>
      <table>
        <caption>
          {words.steps}: {step.words}
        </caption>
        <tbody>
          {step.results.map(([name, value], i) => (
            <tr key={i}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
