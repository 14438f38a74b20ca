import { useLayoutEffect } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { RiskFigures } from "../../api";
import { measured } from "../../choice";
import { Button } from "../../parts/Button";
import { Term } from "../../parts/Glossary";
import { Notice } from "../../parts/Notice";
import { Card, Figures, Heading, type Figure } from "../../parts/Page";
import { Segments } from "../../parts/Segments";
import { Waiting } from "../../parts/Waiting";
import { count, figure, odds, percent, plain, ratePercent } from "../../numbers";
import { dataKey, go, lookAt, scenarioName, study } from "../../state";
import { texts } from "../../texts";
import { Contributions } from "./Contributions";
import { Estimators } from "./Estimators";
import { Gaps } from "./Gaps";
import { FileRisk } from "./FileRisk";
import { Intruders } from "../intruders/Intruders";
import { HouseholdCard } from "./HouseholdCard";
import { LimitCard } from "./LimitCard";
import { NumbersCard } from "./NumbersCard";
import { NotMeaningful, PerturbationCard } from "./PerturbationCard";
import { PopulationCard } from "./PopulationCard";
import { RiskyCells } from "./RiskyCells";
import { Several } from "./Several";

const words = texts.risk;

export function Risk() {
  const scenario = scenarioName.value;
  const risk = useAnswer("GET /api/risk", { scenario });
  const key = `${scenario} ${dataKey.value}`;
  useLayoutEffect(() => {
    if (risk.value) measured(risk.value);
  }, [risk.value, key]);
  return (
    <>
      <Heading title={words.title}>{words.intro}</Heading>
      <ScenarioChoice />
      <Intruders when={risk.value !== null} />
      <Several />
      <Waiting answer={risk}>{(found) => <Measured found={found} />}</Waiting>
    </>
  );
}

/** Which scenario the pictures are about, where there are several. */
export function ScenarioChoice() {
  const { scenarios } = study.value!;
  if (scenarios.length < 2) return null;
  const options = Object.fromEntries(scenarios.map((each) => [each.name, each.name]));
  return (
    <div class="buttons">
      <Segments
        label={words.scenario}
        options={options}
        value={scenarioName.value}
        onChange={(name) => (scenarioName.value = name)}
      />
    </div>
  );
}

function Measured({ found }: { found: RiskFigures }) {
  const key = `${found.scenario} ${dataKey.value}`;
  return (
    <>
      <Card>
        <Figures figures={figuresOf(found)} />
      </Card>
      {found.perturbation && <PerturbationCard found={found} perturbation={found.perturbation} />}
      <LimitCard found={found} />
      <Estimators found={found} />
      <Gaps found={found} />
      {found.household && (
        <HouseholdCard key={key} scenario={found.scenario} found={found.household} />
      )}
      {found.notices.length > 0 && (
        <section class="notices" aria-label={words.notices}>
          {found.notices.map((each, i) => (
            <Notice key={i} tone="warn" children={each.text} />
          ))}
          <div class="buttons">
            <Button small onClick={() => go("scenario")}>
              {words.changeScenario}
            </Button>
          </div>
        </section>
      )}
      <div class="columns">
        <Contributions scenario={found.scenario} />
        <FileRisk scenario={found.scenario} perturbed={found.perturbed} />
      </div>
      <NumbersCard scenario={found.scenario} />
      <PopulationCard key={`population ${key}`} scenario={found.scenario} />
      <LookCloser />
      <RiskyCells scenario={found.scenario} estimator={found.estimator} perturbed={found.perturbed} />
      <footer>
        <Button onClick={() => go("scenario")}>{texts.back(texts.steps.scenario)}</Button>
        <Button kind="primary" onClick={() => go("propose")}>
          {texts.next(texts.steps.propose)}
        </Button>
      </footer>
    </>
  );
}

/** What more can be looked at, on a page of its own. */
function LookCloser() {
  const { tabs, from } = texts.closer;
  return (
    <Card title={from.title}>
      <p class="hint">{from.intro}</p>
      <div class="buttons">
        {(Object.keys(tabs) as (keyof typeof tabs)[]).map((each) => (
          <Button small key={each} onClick={() => lookAt(each)}>
            {tabs[each]} …
          </Button>
        ))}
      </div>
    </Card>
  );
}

function figuresOf(found: RiskFigures): Figure[] {
  const names = words.figures;
  const sampling = found.standard_errors;
  const error = sampling ? { note: words.error(figure(sampling.expected, 2)) } : {};
  const shown: Figure[] = [
    {
      name: <Term name="cell">{names.cells}</Term>,
      value: count(found.cells),
      ...(found.perturbed ? { note: words.before(found.perturbed) } : {}),
    },
    {
      name: <Term name="unique">{names.uniques}</Term>,
      value: found.perturbed ? <NotMeaningful /> : count(found.sample_uniques),
      note: found.perturbed
        ? words.notAfter(found.perturbed, count(found.sample_uniques))
        : percent(found.sample_uniques / found.records),
    },
    { name: <Term name="risk">{names.max}</Term>, value: plain(found.max, 3), note: odds(found.max) },
    { name: <Term name="expected">{names.expected}</Term>, value: figure(found.expected, 4), ...error },
    { name: <Term name="rate">{names.rate}</Term>, value: ratePercent(found.rate) },
  ];
  if (found.household) {
    shown.push({
      name: <Term name="household">{names.householdMax}</Term>,
      value: plain(found.household.max, 3),
      note: odds(found.household.max),
    });
  }
  return shown;
}
