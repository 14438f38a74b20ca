import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { FamilyRow, Scenario } from "../../api";
import { count, figure, percent } from "../../numbers";
import { limitFor, type Limit } from "../../limits";
import { Button } from "../../parts/Button";
import { Scroll } from "../../parts/Scroll";
import { Waiting } from "../../parts/Waiting";
import { change, said } from "../../state";
import { texts } from "../../texts";
import { newSeed } from "./forms";

const words = texts.protect.suppress.families;

interface Props {
  /** Those that name a household. */
  scenarios: readonly Scenario[];
  limit: Limit | null;
}

/** What protects families at less cost than blanks: measured when asked for, and taken by a button. */
export function Families({ scenarios, limit }: Props) {
  const [scenario] = scenarios;
  const [asked, setAsked] = useState(false);
  const most = scenario && limit !== null ? limitFor(limit, scenario.name) : null;
  const query = { scenario: scenario?.name ?? "", limit: most };
  const answer = useAnswer("GET /api/families", query, asked);
  if (!scenario) return null;
  return (
    <div class="stack" role="group" aria-label={words.title}>
      {!asked && (
        <div class="buttons">
          <Button small onClick={() => setAsked(true)}>
            {words.ask}
          </Button>
          <span class="hint">{words.askHint}</span>
        </div>
      )}
      {asked && (
        <Waiting answer={answer} onCancel={() => setAsked(false)}>
          {({ measures }) => <Table measures={measures} onTaken={() => setAsked(false)} />}
        </Waiting>
      )}
    </div>
  );
}

/** A row for each way, the file as it is first. */
function Table({ measures, onTaken }: { measures: readonly FamilyRow[]; onTaken(): void }) {
  const { heads } = words;
  const take = async (row: FamilyRow) => {
    for (const step of row.steps) {
      // Seeds are secret and do not come with the steps; blanks draw nothing.
      const drawn = "seed" in step && step.do !== "suppress" ? { ...step, seed: newSeed() } : step;
      if (!(await change("POST /api/steps", { body: drawn }))) return;
    }
    said.value = texts.protect.applied(row.words);
    onTaken();
  };
  return (
    <>
      <Scroll label={words.title}>
        <table>
          <caption class="hidden">{words.title}</caption>
          <thead>
            <tr>
              <th scope="col">{heads.measure}</th>
              <th scope="col" class="number">
                {heads.found}
              </th>
              <th scope="col" class="number">
                {heads.rejoined}
              </th>
              <th scope="col" class="number">
                {heads.blanks}
              </th>
              <th scope="col">{heads.met}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {measures.map((row) => (
              <tr key={row.words}>
                <th scope="row">
                  {row.steps.length ? row.words : words.nothing}
                  {row.rejoined_by.length > 0 && <span class="under">{words.by(row.rejoined_by)}</span>}
                  {row.refusal && <span class="under">{row.refusal}</span>}
                </th>
                <td class="number">{row.expected === null ? "–" : words.found(figure(row.expected, 3), row.unit)}</td>
                <td class="number">{row.rejoined === null ? "–" : percent(row.rejoined)}</td>
                <td class="number">{row.blanks ? count(row.blanks) : "–"}</td>
                <td>{row.met === null ? "–" : row.met ? words.met : words.unmet}</td>
                <td class="number">
                  {row.steps.length > 0 && !row.refusal && (
                    <Button small more={row.words} onClick={() => void take(row)}>
                      {words.take}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p class="hint">{words.meaning}</p>
    </>
  );
}
