import { useAnswer } from "../../answer";
import type { Scenario } from "../../api";
import { limit as moving, pointsCurve } from "../../choice";
import { exactAt, limitAt, recordsAbove } from "../../limit";
import { householdLimitOf, limitOf } from "../../limits";
import { count, figure, odds, percent, plain, ratePercent } from "../../numbers";
import { Button } from "../../parts/Button";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { change, scenarioName, study } from "../../state";
import { texts } from "../../texts";

const words = texts.several.table;

/** Every scenario with its figures and its limit, where there are several. */
export function Several() {
  const { scenarios } = study.value!;
  if (scenarios.length < 2) return null;
  const homes = scenarios.some((each) => each.household);
  const { scenario, homes: ofHomes, ...numbers } = words.heads;
  return (
    <Card title={words.title}>
      <p class="hint">{words.intro}</p>
      <Scroll label={words.title}>
        <table class="several">
          <caption class="hidden">{words.title}</caption>
          <thead>
            <tr>
              <th scope="col">{scenario}</th>
              {[...Object.values(numbers), ...(homes ? [ofHomes] : [])].map((head) => (
                <th scope="col" class="number" key={head}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {scenarios.map((each) => (
              <Row key={each.name} scenario={each} homes={homes} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </Card>
  );
}

function Row({ scenario, homes }: { scenario: Scenario; homes: boolean }) {
  const { name } = scenario;
  const now = study.value!;
  const { value } = useAnswer("GET /api/risk", { scenario: name });
  const inHand = name === scenarioName.value;
  const own = name in now.limits;
  // The line of the scenario in hand may be on the move, and with it that of all who share it.
  const follows = inHand || (!own && !(scenarioName.value in now.limits));
  const limit = follows ? moving.value : limitOf(now, name);
  const curve = value && pointsCurve(value.curve);
  const above = curve && limit !== null ? limitAt(curve, limit).unsafe : null;
  const sign = curve && limit !== null && !exactAt(curve, limit) ? "≈ " : "";
  return (
    <tr aria-current={inHand ? "true" : undefined}>
      <th scope="row">
        <button type="button" class="link" onClick={() => (scenarioName.value = name)}>
          {name}
        </button>
        <span class="under">{scenario.keys.join(", ")}</span>
      </th>
      <td class="number">
        {value ? plain(value.max, 3) : "…"}
        {value && <span class="under">{odds(value.max)}</span>}
      </td>
      <td class="number">{value ? figure(value.expected, 4) : "…"}</td>
      <td class="number">{value ? ratePercent(value.rate) : "…"}</td>
      <td class="number">
        {limit === null ? "–" : plain(limit, 3)}
        <span class="under">
          <Own name={name} own={own} limit={limit} />
        </span>
      </td>
      <td class="number">
        {above === null ? "–" : sign + count(above)}
        {above !== null && value && <span class="under">{percent(above / value.records)}</span>}
      </td>
      {homes && <Homes scenario={scenario} />}
    </tr>
  );
}

/** Whether the limit is the scenario's own, and the other way round. */
function Own({ name, own, limit }: { name: string; own: boolean; limit: number | null }) {
  const { household_limits } = study.value!;
  const put = (given: number | null) =>
    change("PUT /api/scenario/limits", {
      body: { scenario: name, limit: given, household_limit: own ? null : (household_limits[name] ?? homeLimit(name)) },
    });
  return (
    <Button small kind="quiet" onClick={() => void put(own ? null : limit)} more={words.forOf(name)}>
      {own ? words.takeOwn : words.giveOwn}
    </Button>
  );
}

/** The limit on household risk that a scenario takes along when it gets its own. */
function homeLimit(name: string): number | null {
  const now = study.value!;
  const home = now.scenarios.find((each) => each.name === name)?.household;
  return home ? householdLimitOf(now, name) : null;
}

function Homes({ scenario }: { scenario: Scenario }) {
  const now = study.value!;
  const { value } = useAnswer("GET /api/risk", { scenario: scenario.name });
  const limit = householdLimitOf(now, scenario.name);
  if (!scenario.household || !value?.household) return <td class="number">{words.noHomes}</td>;
  if (limit === null) return <td class="number">{words.noHomeLimit}</td>;
  return (
    <td class="number">
      {count(recordsAbove(pointsCurve(value.household.curve), limit))}
      <span class="under">{words.homesLimit(plain(limit, 3))}</span>
    </td>
  );
}
