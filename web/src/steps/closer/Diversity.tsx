import { useState } from "preact/hooks";
import type { DiversityFigures, SensitiveRow } from "../../api";
import { count, percent, plain } from "../../numbers";
import { BarTable } from "../../parts/BarTable";
import { Term } from "../../parts/Glossary";
import { Notice } from "../../parts/Notice";
import { NumberInput } from "../../parts/NumberInput";
import { Figures } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { study } from "../../state";
import { texts } from "../../texts";
import { useVariables } from "../protect/VariableChoice";
import { Asked } from "./Asked";
import { Picks } from "./Picks";

const words = texts.closer.diversity;
const MOST_VALUES = 8; // the last row counts more, too

/** What the keys give away of sensitive variables. */
export function Diversity({ scenario }: { scenario: string }) {
  const known = study.value!.scenarios.find((each) => each.name === scenario)!;
  const variables = useVariables(
    ({ name, role }) =>
      !known.keys.includes(name) && role !== "weight" && role !== "household" && role !== "identifier",
  );
  const [picked, setPicked] = useState<readonly string[] | null>(null);
  const [ordered, setOrdered] = useState<readonly string[]>([]);
  const [l, setL] = useState(2);
  const [c, setC] = useState(2);
  const [t, setT] = useState(0.2);
  const sensitive = picked ?? variables.filter((each) => each.sensitive).map((each) => each.name);
  const names = variables.filter(({ name }) => sensitive.includes(name));
  const query = {
    scenario,
    sensitive: names.map((each) => each.name),
    ordered: ordered.filter((name) => sensitive.includes(name)),
    l,
    c,
    t,
  };
  return (
    <div class="stack">
      <p class="hint">{words.intro}</p>
      <Picks title={words.sensitive} variables={variables} chosen={sensitive} onChange={setPicked} />
      {names.length > 0 && (
        <fieldset>
          <legend>{words.ordered}</legend>
          <div class="checks">
            {names.map(({ name }) => (
              <label class="choice" key={name}>
                <input
                  type="checkbox"
                  checked={ordered.includes(name)}
                  onChange={(event) =>
                    setOrdered(
                      event.currentTarget.checked ? [...ordered, name] : ordered.filter((each) => each !== name),
                    )
                  }
                />
                <code>{name}</code>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <div class="row fill">
        <NumberInput label={words.l} value={l} min={1} max={1e6} onChange={setL} />
        <NumberInput label={words.c} value={c} min={1e-9} max={1e6} onChange={setC} />
        <NumberInput label={words.t} value={t} min={0} max={1} onChange={setT} />
      </div>
      {names.length > 0 ? (
        <Asked route="GET /api/diversity" query={query}>
          {(found) => <Found found={found} />}
        </Asked>
      ) : (
        <p>{words.none}</p>
      )}
    </div>
  );
}

function Found({ found }: { found: DiversityFigures }) {
  return (
    <>
      {found.perturbed && <Notice tone="info">{texts.closer.before(found.perturbed)}</Notice>}
      <Figures
        figures={[
          { name: words.figures.classes, value: count(found.classes) },
          { name: words.figures.records, value: count(found.records) },
        ]}
      />
      {found.variables.map((each) => (
        <Variable key={each.name} row={each} records={found.records} />
      ))}
    </>
  );
}

function Variable({ row, records }: { row: SensitiveRow; records: number }) {
  const { heads } = words;
  const title = row.label ? `${row.name} – ${row.label}` : row.name;
  return (
    <div class="stack">
      <h2>{title}</h2>
      <div class="columns">
        <Scroll label={title}>
          <table>
            <caption class="hidden">{title}</caption>
            <thead>
              <tr>
                <th scope="col">{heads.measure}</th>
                <th scope="col" class="number">
                  {heads.worst}
                </th>
                <th scope="col" class="number">
                  {heads.records}
                </th>
              </tr>
            </thead>
            <tbody>
              {row.measures.map((each) => (
                <tr key={each.measure}>
                  <th scope="row">
                    <Term name={each.measure === "distance" ? "closeness" : "diversity"}>
                      {words.measures[each.measure][0]}
                    </Term>
                  </th>
                  <td class="number">{words.worst(words.measures[each.measure][1], plain(each.worst, 3))}</td>
                  <td class="number">
                    {count(each.records)} <span class="under">{percent(each.records / records)}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
        <BarTable
          caption={words.values}
          heads={words.valueHeads}
          full={records}
          rows={row.values.map((each, i) => ({
            name: i + 1 === MOST_VALUES ? words.orMore(count(i + 1)) : count(i + 1),
            value: each,
            shown: count(each),
            more: [percent(each / records)],
          }))}
        />
      </div>
    </div>
  );
}
