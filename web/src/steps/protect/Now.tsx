import { useAnswer } from "../../answer";
import { pointsCurve } from "../../choice";
import { exactAt, limitAt } from "../../limit";
import { limitOf } from "../../limits";
import { count, figure, odds, percent, plain, ratePercent } from "../../numbers";
import { Button } from "../../parts/Button";
import { Card, Figures } from "../../parts/Page";
import { Waiting } from "../../parts/Waiting";
import { go, scenarioName, study } from "../../state";
import { texts } from "../../texts";
import { Gaps } from "../risk/Gaps";
import { ScenarioChoice } from "../risk/Risk";

const words = texts.protect.state;

/** How much of it rests on missing keys. */
export function GapsNow() {
  const { value } = useAnswer("GET /api/risk", { scenario: scenarioName.value });
  return value && <Gaps found={value} slim />;
}

/** Where the file stands now. */
export function Now() {
  const risk = useAnswer("GET /api/risk", { scenario: scenarioName.value });
  const limit = limitOf(study.value, scenarioName.value);
  return (
    <Card title={words.title}>
      <ScenarioChoice />
      <Waiting answer={risk}>
        {(found) => {
          const curve = pointsCurve(found.curve);
          const unsafe = limit === null ? null : limitAt(curve, limit).unsafe;
          const sign = limit === null || exactAt(curve, limit) ? "" : "≈ ";
          return (
            <Figures
              figures={[
                ...(unsafe === null
                  ? []
                  : [
                      {
                        name: words.unsafe,
                        value: sign + count(unsafe),
                        note: percent(unsafe / found.records),
                      },
                    ]),
                { name: words.expected, value: figure(found.expected, 4) },
                { name: words.rate, value: ratePercent(found.rate) },
              ]}
            />
          );
        }}
      </Waiting>
      {limit !== null && (
        <p class="hint">
          {words.limit} {plain(limit)} ({odds(limit)}){" "}
          <Button kind="quiet" small onClick={() => go("risk")}>
            {texts.protect.changeLimit}
          </Button>
        </p>
      )}
    </Card>
  );
}
