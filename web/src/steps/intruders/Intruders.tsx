import { useAnswer } from "../../answer";
import type { IntruderResult, IntruderRow } from "../../api";
import { count, figure, odds, plain } from "../../numbers";
import { Notice } from "../../parts/Notice";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Waiting } from "../../parts/Waiting";
import { study } from "../../state";
import { texts } from "../../texts";

const words = texts.intruders;
const outcomes = texts.release.verdicts;

/** Who could recognise whom in the file as it now is, and who was not tried. */
export function Intruders({ when = true }: { when?: boolean }) {
  const { policy } = study.value!;
  const found = useAnswer("GET /api/intruders", null, when, JSON.stringify(policy));
  return (
    <Card title={words.title}>
      <p class="hint">{words.intro}</p>
      <Waiting answer={found}>
        {({ rows, verdict, notices }) => {
          const tried = rows.filter((each) => !each.not_tried);
          const worst = tried.filter((each) => each.scenario === tried[0]?.scenario);
          const others = tried.filter((each) => !worst.includes(each));
          return (
            <>
              <p>
                <strong>{verdict}</strong>
              </p>
              <IntruderTable rows={worst} title={words.title} several={others.length > 0} />
              {others.length > 0 && (
                <details>
                  <summary>{words.others}</summary>
                  <IntruderTable rows={others} title={words.others} several />
                </details>
              )}
              <Untried rows={rows.filter((each) => each.not_tried)} />
              {notices.map((each) => (
                <Notice key={each.text} tone="warn" children={each.text} />
              ))}
            </>
          );
        }}
      </Waiting>
    </Card>
  );
}

interface TableProps {
  rows: readonly IntruderRow[];
  title: string;
  several: boolean;
}

export function IntruderTable({ rows, title, several }: TableProps) {
  const { heads } = words;
  // Before any step there is nothing to compare with, and without limits nothing is above one.
  const before = rows.some((row) => row.before);
  const above = rows.some((row) => row.now.above !== null);
  const numbers = [before && heads.before, heads.now, heads.largest, above && heads.above].filter(Boolean);
  return (
    <Scroll label={title}>
      <table class="intruders">
        <caption class="hidden">{title}</caption>
        <thead>
          <tr>
            {several && <th scope="col">{heads.scenario}</th>}
            <th scope="col">{heads.who}</th>
            {numbers.map((each) => (
              <th key={each} scope="col" class="number">
                {each}
              </th>
            ))}
            <th scope="col">{heads.limit}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.scenario} ${row.name}`}>
              {several && <td>{row.scenario}</td>}
              <th scope="row">
                {row.title}
                <span class="under">{row.knows}</span>
              </th>
              {before && (
                <td class="number">
                  <Found result={row.before} />
                </td>
              )}
              <td class="number">
                <Found result={row.now} certain />
              </td>
              <td class="number">
                {row.now.largest === null ? "–" : plain(row.now.largest, 3)}
                {row.now.largest !== null && <span class="under">{odds(row.now.largest)}</span>}
              </td>
              {above && <td class="number">{row.now.above === null ? "–" : count(row.now.above)}</td>}
              <td>
                <Outcome row={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** How many would be found, of what, and how many of them for certain. */
function Found({ result, certain }: { result: IntruderResult | null; certain?: boolean }) {
  if (!result || result.expected === null) return <>–</>;
  const sure = certain && result.certain && result.certain >= 0.005 ? `, ${words.certain(figure(result.certain, 2))}` : "";
  return (
    <>
      {figure(result.expected, 4)}
      <span class="under">{words.units[result.unit] + sure}</span>
    </>
  );
}

function Outcome({ row }: { row: IntruderRow }) {
  if (row.limit === null || row.met === null) return <span class="under">{words.none}</span>;
  const bound = row.rule === "k" ? outcomes.atLeast : outcomes.atMost;
  return (
    <>
      <span class={`badge ${row.met ? "good" : "bad"}`}>
        {row.met ? `✓ ${outcomes.met}` : `✕ ${outcomes.notMet}`}
      </span>
      <span class="under">{bound(figure(row.limit, 3))}</span>
    </>
  );
}

function Untried({ rows }: { rows: readonly IntruderRow[] }) {
  if (!rows.length) return null;
  return (
    <details>
      <summary>{words.untried}</summary>
      <ul>
        {rows.map((row) => (
          <li key={`${row.scenario} ${row.name}`}>
            <strong>{row.title}</strong>
            {row.scenario && ` (${row.scenario})`}: {row.not_tried}
          </li>
        ))}
      </ul>
    </details>
  );
}
