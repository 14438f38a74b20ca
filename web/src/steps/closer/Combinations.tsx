import { useState } from "preact/hooks";
import type { CombinationFigures, CombinationsQueryInput } from "../../api";
import { limitFor, limitOf, usualLimit } from "../../limits";
import { count, percent } from "../../numbers";
import { Term } from "../../parts/Glossary";
import { Notice } from "../../parts/Notice";
import { NumberInput } from "../../parts/NumberInput";
import { Figures } from "../../parts/Page";
import { Segments } from "../../parts/Segments";
import { study } from "../../state";
import { texts } from "../../texts";
import { Asked } from "./Asked";
import { DimensionTable } from "./DimensionTable";
import { levelsOf } from "./rows";

const words = texts.closer.combinations;
type Rule = keyof typeof words.rules;

/** Unsafe combinations by variable and dimension, and by code: the main window of mu-ARGUS. */
export function Combinations({ scenario }: { scenario: string }) {
  const now = study.value!;
  const { keys } = now.scenarios.find((each) => each.name === scenario)!;
  const [by, setBy] = useState<Rule>("k");
  const [k, setK] = useState(now.policy.k ?? 3);
  const [above, setAbove] = useState(limitOf(now, scenario) ?? limitFor(now.policy.record_risk, scenario) ?? usualLimit(now));
  const [size, setSize] = useState<number | null>(Math.min(3, keys.length));
  const [levels, setLevels] = useState<Readonly<Record<string, number>>>({});
  const query: CombinationsQueryInput = {
    scenario,
    by,
    ...(by === "risk" ? { above } : { k }),
    ...(by === "levels" ? { levels: levelsOf(levels, keys) } : { max_size: size }),
  };
  const noLevels = by === "levels" && !Object.values(levels).includes(1);
  return (
    <div class="stack">
      <p class="hint">{words.intro}</p>
      <div class="buttons">
        <span>{words.by}</span>
        <Segments<Rule> label={words.by} options={words.rules} value={by} onChange={setBy} />
      </div>
      <div class="row fill">
        {by === "risk" ? (
          <NumberInput label={words.above} value={above} min={1e-9} max={1} onChange={setAbove} />
        ) : (
          <NumberInput label={words.k} value={k} min={2} max={1e6} whole onChange={setK} />
        )}
        {by !== "levels" && (
          <NumberInput
            label={words.size}
            hint={words.sizeHint}
            value={size}
            min={1}
            max={keys.length}
            whole
            optional
            onChange={setSize}
            onEmpty={() => setSize(null)}
          />
        )}
      </div>
      {by === "levels" && (
        <>
          <p class="hint">{words.levelsHint}</p>
          <div class="row narrow">
            {keys.map((key) => (
              <NumberInput
                key={key}
                label={
                  <>
                    <span class="hidden">{words.level} </span>
                    <code>{key}</code>
                  </>
                }
                value={levels[key] ?? null}
                min={1}
                max={keys.length}
                whole
                optional
                onChange={(level) => setLevels({ ...levels, [key]: level })}
                onEmpty={() => {
                  const { [key]: _, ...others } = levels;
                  setLevels(others);
                }}
              />
            ))}
          </div>
        </>
      )}
      {noLevels ? (
        <p>{words.noLevels}</p>
      ) : (
        <Asked route="GET /api/combinations" query={query}>
          {(found) => <Found found={found} />}
        </Asked>
      )}
    </div>
  );
}

function Found({ found }: { found: CombinationFigures }) {
  return (
    <>
      {found.perturbed && <Notice tone="info">{texts.closer.before(found.perturbed)}</Notice>}
      <Figures
        figures={[
          { name: <Term name="combination">{words.figures.combinations}</Term>, value: count(found.combinations) },
          {
            name: words.figures.records,
            value: count(found.unsafe_records),
            note: words.figures.share(percent(found.unsafe_records / found.records)),
          },
          ...found.dimensions.map((each, i) => ({
            name: texts.closer.dimensions.ofFull(each),
            value: count(found.counts[i]!),
          })),
        ]}
      />
      <DimensionTable caption={words.caption} dimensions={found.dimensions} keys={found.keys} />
    </>
  );
}
