import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { CrossCounts } from "../../api";
import { count, percent } from "../../numbers";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Segments } from "../../parts/Segments";
import { texts } from "../../texts";
import { Look } from "./Look";
import { maskedIn, rowShares, tintOf } from "./shares";

const words = texts.explore;
type Show = keyof typeof words.shows;

interface Props {
  rows: string;
  columns: string;
  at: { steps?: number };
}

/** Two variables against each other. */
export function Cross({ rows, columns, at }: Props) {
  const [chosen, setShow] = useState<Show>("records");
  const [stopped, setStopped] = useState(false);
  const answer = useAnswer("GET /api/explore/table", { rows, columns, ...at }, !stopped);
  const { weighted, ...plain } = words.shows;
  const weighed = answer.value?.weighted;
  const show = chosen === "weighted" && answer.value && !weighed ? "rows" : chosen;
  return (
    <Card
      title={words.table(rows, columns)}
      aside={
        <Segments<Show>
          label={words.show}
          options={(weighed ? { ...plain, weighted } : plain) as Record<Show, string>}
          value={show}
          onChange={setShow}
        />
      }
    >
      <Look answer={answer} stopped={stopped} onStop={setStopped}>
        {(found) => <Shown found={found} show={show} />}
      </Look>
    </Card>
  );
}

function Shown({ found, show }: { found: CrossCounts; show: Show }) {
  const masked = maskedIn([...found.counts.flat(), ...found.row_totals, ...found.column_totals]);
  return (
    <>
      <Cells found={found} show={show} />
      <p class="hint">
        {words.heat} {masked > 0 && words.maskedNote(masked, found.least)}
      </p>
    </>
  );
}

/** The table itself: figures to be read, tinted by the share of the row. */
function Cells({ found, show }: { found: CrossCounts; show: Show }) {
  const caption = words.table(...found.names);
  const shares = show === "weighted" ? found.weighted! : rowShares(found.counts, found.row_totals);
  const largest = Math.max(0, ...shares.flat().map((each) => each ?? 0));
  const total = (each: number | null) => (each === null ? words.maskedCell : count(each));
  return (
    <Scroll label={caption} tall>
      <table class="cross">
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">
              <code>{found.names[0]}</code>
            </th>
            {found.columns.map((name, j) => (
              <th scope="col" class="number" key={j}>
                {name || <em>{words.missing}</em>}
              </th>
            ))}
            <th scope="col" class="number">
              {words.total}
            </th>
          </tr>
        </thead>
        <tbody>
          {found.rows.map((name, i) => (
            <tr key={i}>
              <th scope="row">{name || <em>{words.missing}</em>}</th>
              {found.counts[i]!.map((each, j) => (
                <td
                  key={j}
                  class={each === null ? "number masked" : "number"}
                  style={{ "--tint": `${tintOf(shares[i]![j]!, largest)}%` }}
                  title={words.cell(
                    `${name || words.missing} × ${found.columns[j] || words.missing}`,
                    each === null ? words.masked : words.records(each),
                    shares[i]![j] == null ? "" : percent(shares[i]![j]!),
                  )}
                >
                  {shownIn(show, each, shares[i]![j]!)}
                </td>
              ))}
              <td class="number">{total(found.row_totals[i]!)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{words.total}</th>
            {found.column_totals.map((each, j) => (
              <td class="number" key={j}>
                {total(each)}
              </td>
            ))}
            <td class="number">{count(found.records)}</td>
          </tr>
        </tfoot>
      </table>
    </Scroll>
  );
}

function shownIn(show: Show, records: number | null, share: number | null): string {
  if (show === "records") return records === null ? words.maskedCell : count(records);
  return share === null ? words.maskedCell : percent(share);
}
