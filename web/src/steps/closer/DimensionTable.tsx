import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { CodeRow, KeyRow } from "../../api";
import { count } from "../../numbers";
import { Button } from "../../parts/Button";
import { Scroll } from "../../parts/Scroll";
import { go, toRecode } from "../../state";
import { texts } from "../../texts";
import { way } from "../protect/Protect";
import { codeName, keyName, saidCode, sorted, sumOf, turned, type Column, type Sorting } from "./rows";

const words = texts.closer.dimensions;
const FEW = 12; // rows that fit a screen

/** The variable that was pressed last; kept when the rule changes. */
const chosen = signal<string | null>(null);

interface Props {
  caption: string;
  dimensions: readonly number[];
  keys: readonly KeyRow[];
}

/** Counts by variable and dimension; beside it the codes of the variable that was pressed. */
export function DimensionTable({ caption, dimensions, keys }: Props) {
  const [sorting, setSorting] = useState<Sorting>({ by: "all", down: true });
  const rows = sorted(keys, sorting, keyName);
  const shown = keys.find((each) => each.key === chosen.value) ?? rows[0];
  if (!dimensions.length || !shown) return <p>{words.none}</p>;
  return (
    <div class="dimensions">
      <div class="stack">
        <Scroll label={caption}>
          <table class="sortable">
            <caption class="hidden">{caption}</caption>
            <Heads name={words.variable} dimensions={dimensions} sorting={sorting} onSort={setSorting} />
            <tbody>
              {rows.map((row) => (
                <tr key={row.key} class={row === shown ? "chosen" : ""}>
                  <th scope="row">
                    <button type="button" class="link" aria-pressed={row === shown} onClick={() => (chosen.value = row.key)}>
                      <code>{row.key}</code>
                    </button>
                    {row.label && <span class="under">{row.label}</span>}
                  </th>
                  <Counts row={row} of={row.of} />
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
        <p class="hint">{words.press}</p>
      </div>
      <Codes key={shown.key} row={shown} dimensions={dimensions} />
    </div>
  );
}

interface HeadsProps {
  name: string;
  /** Whether records are counted, too. */
  records?: boolean;
  dimensions: readonly number[];
  sorting: Sorting;
  onSort(sorting: Sorting): void;
}

/** Heads that sort when they are pressed. */
function Heads({ name, records, dimensions, sorting, onSort }: HeadsProps) {
  const columns: [Column, string, string][] = [
    ["name", name, ""],
    ...(records ? [["records", words.records, ""] as [Column, string, string]] : []),
    ...dimensions.map((each, i): [Column, string, string] => [i, words.of(each), words.ofFull(each)]),
    ["all", words.all, ""],
  ];
  return (
    <thead>
      <tr>
        {columns.map(([by, text, title]) => (
          <th
            key={by}
            scope="col"
            class={by === "name" ? "" : "number"}
            aria-sort={sorting.by === by ? (sorting.down ? "descending" : "ascending") : undefined}
          >
            <button type="button" class="sort" title={title || undefined} onClick={() => onSort(turned(sorting, by))}>
              {text}
              <span aria-hidden="true">{sorting.by === by ? (sorting.down ? " ▾" : " ▴") : ""}</span>
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Counts({ row, of = [] }: { row: KeyRow | CodeRow; of?: readonly number[] }) {
  return (
    <>
      {row.counts.map((each, i) => (
        <td key={i} class="number">
          {count(each)}
          {of.length > 0 && <span class="under">{words.ofCells(count(of[i]!))}</span>}
        </td>
      ))}
      <td class="number">
        <strong>{count(sumOf(row))}</strong>
      </td>
    </>
  );
}

/** The codes of a variable with their records and counts, and where to go on from here. */
function Codes({ row, dimensions }: { row: KeyRow; dimensions: readonly number[] }) {
  const [sorting, setSorting] = useState<Sorting>({ by: "all", down: true });
  const [all, setAll] = useState(false);
  const codes = sorted(row.codes, sorting, codeName);
  const recode = () => {
    toRecode.value = row.key;
    way.value = "recode";
    go("protect");
  };
  const title = words.codes(row.key);
  return (
    <div class="stack codes">
      <header class="row-head">
        <h2>{title}</h2>
        <span class="buttons">
          <Button small onClick={recode}>
            {words.recode(row.key)}
          </Button>
        </span>
      </header>
      {codes.length > 0 ? (
        <Scroll label={title} tall={all}>
          <table class="sortable">
            <caption class="hidden">{title}</caption>
            <Heads name={words.code} records dimensions={dimensions} sorting={sorting} onSort={setSorting} />
            <tbody>
              {(all ? codes : codes.slice(0, FEW)).map((code) => (
                <tr key={code.value.code}>
                  <th scope="row">{saidCode(code.value, words.missing)}</th>
                  <td class="number">{count(code.records)}</td>
                  <Counts row={code} />
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      ) : (
        <p class="hint">{words.hidden(count(row.hidden))}</p>
      )}
      {codes.length > FEW && (
        <div>
          <Button small kind="quiet" onClick={() => setAll(!all)}>
            {all ? texts.closer.showFewer : texts.closer.showAll(count(codes.length))}
          </Button>
        </div>
      )}
    </div>
  );
}
