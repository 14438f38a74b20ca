import { useState } from "preact/hooks";
import type { TabulationFigures } from "../../api";
import { count, odds, percent, plain } from "../../numbers";
import { Button } from "../../parts/Button";
import { Term } from "../../parts/Glossary";
import { Notice } from "../../parts/Notice";
import { NumberInput } from "../../parts/NumberInput";
import { Figures } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { study } from "../../state";
import { texts } from "../../texts";
import { Asked } from "./Asked";
import { DimensionTable } from "./DimensionTable";

const words = texts.closer.tables;
const FEW = 10;

/** Every table of a few keys, and its sparse cells. */
export function Tables({ scenario }: { scenario: string }) {
  const { keys, weight } = study.value!.scenarios.find((each) => each.name === scenario)!;
  const [dimension, setDimension] = useState(Math.min(3, keys.length));
  const [least, setLeast] = useState<number | null>(study.value!.policy.k ?? 3);
  const [people, setPeople] = useState<number | null>(null);
  return (
    <div class="stack">
      <p class="hint">{words.intro}</p>
      <div class="row fill">
        <NumberInput
          label={words.dimension}
          value={dimension}
          min={1}
          max={keys.length}
          whole
          onChange={setDimension}
        />
        <NumberInput
          label={words.count}
          value={least}
          min={1}
          max={1e9}
          whole
          optional={people !== null}
          onChange={setLeast}
          onEmpty={() => setLeast(null)}
        />
        {weight && (
          <NumberInput
            label={words.weight}
            hint={words.weightHint}
            value={people}
            min={1e-9}
            max={1e12}
            optional
            onChange={setPeople}
            onEmpty={() => {
              setPeople(null);
              setLeast(least ?? 3);
            }}
          />
        )}
      </div>
      <Asked route="GET /api/tabulation" query={{ scenario, dimension, min_count: least, min_weight: people }}>
        {(found) => <Found found={found} />}
      </Asked>
    </div>
  );
}

function Found({ found }: { found: TabulationFigures }) {
  return (
    <>
      {found.perturbed && <Notice tone="info">{texts.closer.before(found.perturbed)}</Notice>}
      <Figures
        figures={[
          {
            name: <Term name="sparse">{words.figures.records}</Term>,
            value: count(found.in_sparse),
            note: texts.closer.combinations.figures.share(percent(found.in_sparse / found.records)),
          },
          { name: words.figures.tables, value: count(found.all_tables) },
        ]}
      />
      <DimensionTable caption={words.caption} dimensions={found.dimensions} keys={found.keys} />
      <div class="dimensions">
        <ByDimension found={found} />
        <Attackers found={found} />
      </div>
      <Worst found={found} />
    </>
  );
}

function ByDimension({ found }: { found: TabulationFigures }) {
  const { heads } = words;
  return (
    <Scroll label={words.byDimension}>
      <table>
        <caption>{words.byDimension}</caption>
        <thead>
          <tr>
            {[heads.dimension, heads.tables, heads.cells, heads.sparse, heads.share].map((head) => (
              <th key={head} scope="col" class="number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.rows.map((each) => (
            <tr key={each.dimension}>
              {[each.dimension, each.tables, each.cells, each.sparse].map((value, i) => (
                <td key={i} class="number">
                  {count(value)}
                </td>
              ))}
              <td class="number">{percent(each.sparse / Math.max(each.cells, 1))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Attackers({ found }: { found: TabulationFigures }) {
  const { attackerHeads: heads } = words;
  return (
    <Scroll label={words.attackers}>
      <table>
        <caption>{words.attackers}</caption>
        <thead>
          <tr>
            <th scope="col">{heads.who}</th>
            {[heads.largest, heads.average, heads.share(plain(found.attackers[0]!.above))].map((head) => (
              <th key={head} scope="col" class="number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.attackers.map((each) => (
            <tr key={each.who}>
              <th scope="row">{words.who[each.who]}</th>
              <td class="number">
                {plain(each.largest, 3)} <span class="under">{odds(each.largest)}</span>
              </td>
              <td class="number">
                {plain(each.average, 3)} <span class="under">{odds(each.average)}</span>
              </td>
              <td class="number">{percent(each.share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Worst({ found }: { found: TabulationFigures }) {
  const [all, setAll] = useState(false);
  const { worstHeads: heads } = words;
  const tables = found.tables.filter((each) => each.sparse > 0);
  if (!tables.length) return null;
  return (
    <div class="stack">
      <Scroll label={words.worst} tall={all}>
        <table>
          <caption>{words.worst}</caption>
          <thead>
            <tr>
              <th scope="col">{heads.keys}</th>
              {[heads.sparse, heads.cells, heads.records].map((head) => (
                <th key={head} scope="col" class="number">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(all ? tables : tables.slice(0, FEW)).map((each) => (
              <tr key={each.keys.join(" × ")}>
                <th scope="row">
                  <code>{each.keys.join(" × ")}</code>
                </th>
                {[each.sparse, each.cells, each.records].map((value, i) => (
                  <td key={i} class="number">
                    {count(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {tables.length > FEW && (
        <div>
          <Button small kind="quiet" onClick={() => setAll(!all)}>
            {all ? texts.closer.showFewer : texts.closer.showAll(count(tables.length))}
          </Button>
        </div>
      )}
      {found.all_tables > found.tables.length && (
        <p class="hint">{words.left(count(found.tables.length), count(found.all_tables))}</p>
      )}
    </div>
  );
}
