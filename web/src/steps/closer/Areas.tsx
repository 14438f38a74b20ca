import { useState } from "preact/hooks";
import type { AreaFigures, AreaTableRow } from "../../api";
import { count, percent } from "../../numbers";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { Term } from "../../parts/Glossary";
import { Notice } from "../../parts/Notice";
import { NumberInput } from "../../parts/NumberInput";
import { Scroll } from "../../parts/Scroll";
import { change, said, study } from "../../state";
import { texts } from "../../texts";
import { useVariables } from "../protect/VariableChoice";
import { Asked } from "./Asked";

const words = texts.closer.areas;
const USUAL = 0.3;

/** How sure the survey is of the people in small areas, and what to merge. */
export function Areas({ scenario }: { scenario: string }) {
  const { keys, weight } = study.value!.scenarios.find((each) => each.name === scenario)!;
  const variables = useVariables(({ role }) => role !== "weight" && role !== "household" && role !== "identifier");
  const [areas, setAreas] = useState(keys[0]!);
  const [parent, setParent] = useState("");
  const [limit, setLimit] = useState(USUAL);
  if (!weight) return <p>{words.noWeight}</p>;
  const names = variables.map((each) => each.name);
  return (
    <div class="stack">
      <p class="hint">{words.intro}</p>
      <div class="row fill">
        <Field label={words.areas}>
          {(wiring) => (
            <select {...wiring} value={areas} onChange={(event) => setAreas(event.currentTarget.value)}>
              {[...new Set([...keys, ...names])].map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label={words.parent}>
          {(wiring) => (
            <select {...wiring} value={parent} onChange={(event) => setParent(event.currentTarget.value)}>
              <option value="">{words.noParent}</option>
              {names
                .filter((name) => name !== areas)
                .map((name) => (
                  <option key={name}>{name}</option>
                ))}
            </select>
          )}
        </Field>
        <NumberInput label={words.limit} value={limit} min={0.01} max={1} onChange={setLimit} />
      </div>
      <Asked route="GET /api/areas" query={{ scenario, areas, parent: parent === areas ? "" : parent, limit }}>
        {(found) => <Found found={found} />}
      </Asked>
    </div>
  );
}

function Found({ found }: { found: AreaFigures }) {
  return (
    <>
      {found.perturbed && <Notice tone="info">{texts.closer.before(found.perturbed)}</Notice>}
      <p>{(found.by_household ? words.households : words.records)(count(found.clusters))}</p>
      <Scroll label={words.caption}>
        <table>
          <caption>
            <Term name="variation">{words.caption}</Term>
          </caption>
          <thead>
            <tr>
              <th scope="col">{words.heads.keys}</th>
              <th scope="col" class="number">
                {words.heads.above(percent(found.limit, 0))}
              </th>
              <th scope="col" class="number">
                {words.heads.largest}
              </th>
              <th scope="col">{words.heads.merge}</th>
            </tr>
          </thead>
          <tbody>
            {found.tables.map((each) => (
              <tr key={each.keys.join(" × ")}>
                <th scope="row">
                  <code>{each.keys.join(" × ")}</code>
                </th>
                <td class="number">{words.of(count(each.above), count(each.cells))}</td>
                <td class="number">{percent(each.largest)}</td>
                <td>
                  <Merges table={each} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

/** What to merge so that the survey supports a table, with a button that does it. */
function Merges({ table }: { table: AreaTableRow }) {
  const variable = table.keys[0]!;
  if (!table.above) return <>{words.fine}</>;
  if (!table.supported) return <>{words.unsupported(table.keys.at(-1)!)}</>;
  if (!table.merge.length) return <>{words.unlisted}</>;
  const groups = Object.fromEntries(table.merge.map(({ code, codes }) => [code, codes]));
  const labels = Object.fromEntries(table.merge.map(({ code, label }) => [code, label]));
  return (
    <>
      {table.merge.map(({ codes }) => codes.join("+")).join(", ")}{" "}
      <Button
        small
        onClick={async () => {
          const body = { do: "recode" as const, variable, groups, labels, why: words.why };
          if (await change("POST /api/steps", { body })) said.value = words.merged(variable);
        }}
      >
        {words.merge(variable)}
      </Button>
    </>
  );
}
