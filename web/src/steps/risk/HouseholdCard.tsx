import { useMemo, useState } from "preact/hooks";
import type { HouseholdFigures, HouseholdLimitFigures } from "../../api";
import { BinTable, commonEdges } from "../../charts/BinTable";
import { largestBar, StillPicture } from "../../charts/StillPicture";
import { pointsCurve } from "../../choice";
import { ask, Refusal } from "../../client";
import { householdLimitOf, withHouseholdLimit } from "../../limits";
import { count, figure, odds, percent, plain, ratePercent } from "../../numbers";
import { Term } from "../../parts/Glossary";
import { NumberInput } from "../../parts/NumberInput";
import { Card, Figures } from "../../parts/Page";
import { problem, study } from "../../state";
import { texts } from "../../texts";
import { inTurn } from "../../turns";

const words = texts.risk.homes;

type Target = "risk" | "rate" | "expected_households";
const TARGETS: readonly Target[] = ["risk", "rate", "expected_households"];

interface Wish {
  readonly scenario: string;
  readonly by: Target;
  readonly value: number;
  told(figures: HouseholdLimitFigures): void;
}

/** Have a limit remembered, and tell what it means. */
const tell = inTurn<Wish>(async ({ scenario, by, value, told }, isLast) => {
  try {
    const found = await ask("POST /api/household-limit", { body: { scenario, [by]: value } });
    if (!isLast()) return; // something else was typed meanwhile
    told(found);
    if (study.value) study.value = withHouseholdLimit(study.value, scenario, found.limit);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!error.stopped) problem.value = error.problem;
  }
});

/** The risk of households, and a limit on it: for those who give one, never by itself. */
export function HouseholdCard({ scenario, found }: { scenario: string; found: HouseholdFigures }) {
  const curve = useMemo(() => pointsCurve(found.curve), [found]);
  const edges = commonEdges([curve]);
  const [told, setTold] = useState<HouseholdLimitFigures | null>(null);
  const choose = (by: Target, value: number) => tell({ scenario, by, value, told: setTold });
  const limit = told?.limit ?? householdLimitOf(study.value, scenario);
  return (
    <Card title={<Term name="household">{words.title}</Term>}>
      <div class="columns wide-left">
        <StillPicture
          curve={curve}
          edges={edges}
          largest={largestBar([curve], edges)}
          limit={limit}
          named={words.title}
          counted={words.axis}
        />
        <div class="stack">
          <p class="hint">{words.intro}</p>
          {TARGETS.map((by) => (
            <NumberInput
              key={by}
              label={words.targets[by]}
              value={by === "risk" ? limit : null}
              min={0}
              max={by === "expected_households" ? Infinity : 1}
              optional
              onChange={(value) => void choose(by, value)}
            />
          ))}
        </div>
      </div>
      {told && <Meaning told={told} />}
      <details>
        <summary>{texts.asTable}</summary>
        <BinTable caption={words.title} curves={[{ name: words.axis, curve }]} />
      </details>
    </Card>
  );
}

function Meaning({ told }: { told: HouseholdLimitFigures }) {
  return (
    <>
      <Figures
        figures={[
          { name: words.limit, value: plain(told.limit, 3), note: odds(told.limit) },
          { name: words.unsafe, value: count(told.unsafe), note: percent(told.unsafe / told.households) },
          { name: words.expected, value: figure(told.expected_households) },
          { name: words.rate, value: ratePercent(told.rate) },
        ]}
      />
      <p class="hint">
        {words.members}{" "}
        {Object.entries(told.members)
          .filter(([size]) => size !== "1")
          .map(([size, risk]) => words.member(size, plain(risk, 3)))
          .join("; ")}
      </p>
    </>
  );
}
