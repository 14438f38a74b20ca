import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import { ENOUGH, type TableDetail, type TableSide } from "../../api";
import { CategoryShares } from "../../charts/CategoryShares";
import { changesOf, type Measure } from "../../charts/heat";
import { HeatMap, shown } from "../../charts/HeatMap";
import { count, fixed, percent } from "../../numbers";
import { Term } from "../../parts/Glossary";
import { Figures } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Segments } from "../../parts/Segments";
import { texts } from "../../texts";
import type { Counting } from "./Named";
import { NamedCard } from "./NamedCard";
import type { Table } from "./naming";

const words = texts.uses;

interface Props {
  table: Table;
  to: number;
  counting: Counting;
  onRemove(): void;
}

/** A table that was named, before and after. */
export function NamedTable({ table, to, counting, onRemove }: Props) {
  const answer = useAnswer("GET /api/compare/table", { of: table, to });
  return (
    <NamedCard name={table.join(" × ")} answer={answer} onRemove={onRemove}>
      {(found) => <Shown found={found} counting={counting} />}
    </NamedCard>
  );
}

function Shown({ found, counting }: { found: TableDetail; counting: Counting }) {
  const [measure, setMeasure] = useState<Measure>("points");
  const weighted = counting === "weighted" && found.weighted !== null;
  const side = weighted ? found.weighted! : found.plain;
  const names = found.names.join(" × ");
  const named = words.tableSaid(names, fixed(100 * side.largest, 2), side.where.join(" × "));
  const changes = changesOf(side.before, side.after, measure, found.records);
  return (
    <>
      <Summary side={side} weighted={weighted} />
      {found.recoded.map((each) => (
        <p class="hint" key={each.name}>
          {words.recoded(
            each.name,
            count(each.categories),
            count(each.categories_after),
            percent(each.lost_share),
          )}
        </p>
      ))}
      {side.largest === 0 ? (
        <p>{words.unchanged}</p>
      ) : found.columns.length ? (
        <>
          <Segments<Measure> label={words.measure} options={words.measures} value={measure} onChange={(next) => setMeasure(next)} />
          <figure>
            <HeatMap
              names={[found.names[0]!, found.names[1]!]}
              rows={found.rows}
              columns={found.columns}
              before={side.before}
              after={side.after}
              changes={changes}
              measure={measure}
              named={named}
            />
          </figure>
          {measure === "relative" && <p class="hint">{words.small(ENOUGH)}</p>}
        </>
      ) : (
        <figure>
          <CategoryShares
            variable={found.names[0]!}
            categories={found.rows}
            before={side.before.map((row) => row[0]!)}
            after={side.after.map((row) => row[0]!)}
            weighted={weighted}
            named={named}
          />
        </figure>
      )}
      <LeftOut found={found} />
      <details>
        <summary>{texts.asTable}</summary>
        <CellTable found={found} side={side} />
      </details>
    </>
  );
}

function Summary({ side, weighted }: { side: TableSide; weighted: boolean }) {
  const { figures } = words;
  const where = side.where.length ? words.at(side.where.join(" × ")) : "";
  return (
    <Figures
      figures={[
        { name: figures.largest, value: fixed(100 * side.largest, 2), note: where },
        { name: figures.mean, value: fixed(100 * side.mean, 3) },
        { name: figures.lost[weighted ? "weighted" : "plain"], value: percent(side.lost) },
        { name: <Term name="hellinger">{figures.distance}</Term>, value: fixed(side.hellinger, 4) },
      ]}
    />
  );
}

/** Categories that changed less than those shown. */
function LeftOut({ found }: { found: TableDetail }) {
  const left = [
    [found.names[0]!, found.all_rows - found.rows.length],
    [found.names[1] ?? "", found.all_columns - found.columns.length],
  ] as const;
  const told = left.filter(([, many]) => many > 0).map(([name, many]) => words.left(name, many));
  return told.length ? <p class="hint">{told.join(" ")}</p> : null;
}

/** The same as the picture, for reading: absolute and relative changes in columns of their own. */
function CellTable({ found, side }: { found: TableDetail; side: TableSide }) {
  const { heads } = words;
  const points = changesOf(side.before, side.after, "points", found.records);
  const relative = changesOf(side.before, side.after, "relative", found.records);
  const caption = words.tableOf(found.names.join(" × "));
  const columns = found.columns.length ? found.columns : [null];
  return (
    <Scroll label={caption} tall>
      <table class="cells">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {found.names.map((name) => (
              <th scope="col" key={name}>
                <code>{name}</code>
              </th>
            ))}
            {[heads.records, heads.before, heads.after, heads.points, heads.relative].map((head) => (
              <th scope="col" class="number" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.rows.flatMap((row, i) =>
            columns.map((column, j) => (
              <tr key={`${i} ${j}`}>
                <th scope="row">{row}</th>
                {column && <td>{column}</td>}
                <td class="number">{count(found.records[i]![j]!)}</td>
                <td class="number">{(100 * side.before[i]![j]!).toFixed(2)}</td>
                <td class="number">{(100 * side.after[i]![j]!).toFixed(2)}</td>
                <td class="number">{shown(points[i]![j]!, "points")}</td>
                <td class="number">{shown(relative[i]![j]!, "relative")}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </Scroll>
  );
}
