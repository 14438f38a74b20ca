import { useState } from "preact/hooks";
import type { FormEntry, VariableProfile } from "../../api";
import { plain } from "../../numbers";
import { Field } from "../../parts/Field";
import { Notice } from "../../parts/Notice";
import { Scroll } from "../../parts/Scroll";
import { texts } from "../../texts";
import { isWhole, matrixOf, readChance, readPasted, stay, sumOf, type Grid, type Matrix } from "./chances";
import { CategoryName, OfCategories } from "./OfCategories";

const words = texts.protect.chances;
const MOST_BOXES = 12; // categories: more are not typed one by one

interface Props {
  field: FormEntry;
  variable: string;
  onChange(matrix: Matrix | null): void;
}

/** Chances of a variable's categories to become others. */
export function Chances({ field, variable, onChange }: Props) {
  return (
    <OfCategories variable={variable}>
      {(found) => <Table field={field} detail={found} onChange={onChange} />}
    </OfCategories>
  );
}

function Table({ field, detail, onChange }: { field: FormEntry; detail: VariableProfile; onChange: Props["onChange"] }) {
  const codes = detail.categories.map((each) => each.code);
  const [grid, setGrid] = useState<Grid>(() => stay(codes.length));
  // Boxes show what was typed, and begin anew with a table that was pasted.
  const [pasted, setPasted] = useState(0);
  const put = (next: Grid) => {
    setGrid(next);
    onChange(matrixOf(next, codes));
  };
  const type = (i: number, j: number, text: string) =>
    put(grid.map((row, k) => (k === i ? row.map((each, l) => (l === j ? readChance(text) : each)) : row)));
  return (
    <fieldset>
      <legend>{field.label}</legend>
      <span class="hint">{field.help}</span>
      {codes.length > MOST_BOXES ? (
        <p class="hint">{words.many(codes.length)}</p>
      ) : (
        <Scroll label={words.table}>
          <table class="chances" key={pasted}>
            <caption class="hidden">{words.table}</caption>
            <thead>
              <tr>
                <th scope="col">{words.from}</th>
                {codes.map((code) => (
                  <th scope="col" class="number" key={code}>
                    {words.to(code)}
                  </th>
                ))}
                <th scope="col" class="number">
                  {words.sum}
                </th>
              </tr>
            </thead>
            <tbody>
              {detail.categories.map((category, i) => (
                <tr key={category.code}>
                  <CategoryName of={category} />
                  {codes.map((other, j) => (
                    <td key={other}>
                      <input
                        type="text"
                        inputMode="decimal"
                        autocomplete="off"
                        aria-label={words.cell(category.code, other)}
                        aria-invalid={grid[i]![j] === null}
                        defaultValue={String(grid[i]![j] ?? "")}
                        onInput={(event) => type(i, j, event.currentTarget.value)}
                      />
                    </td>
                  ))}
                  <Sum row={grid[i]!} />
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {!grid.every(isWhole) && codes.length <= MOST_BOXES && <Notice tone="warn">{words.notOne}</Notice>}
      <Pasting
        codes={codes}
        open={codes.length > MOST_BOXES}
        onRead={(next) => {
          put(next);
          setPasted(pasted + 1);
        }}
      />
    </fieldset>
  );
}

function Sum({ row }: { row: readonly (number | null)[] }) {
  const sum = sumOf(row);
  const said = sum === null ? words.noChance : plain(sum, 10);
  return (
    <td class="number" aria-live="polite">
      <span class={`badge ${isWhole(row) ? "good" : "bad"}`}>
        {isWhole(row) ? words.right("1") : words.wrong(said)}
      </span>
    </td>
  );
}

function Pasting({ codes, open, onRead }: { codes: readonly string[]; open: boolean; onRead(grid: Grid): void }) {
  const [read, setRead] = useState<Grid | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const paste = (text: string) => {
    const found = text.trim() ? readPasted(text, codes) : null;
    setRead(found);
    setFault(found || !text.trim() ? null : words.pasteFault(codes.length));
    if (found) onRead(found);
  };
  const wrong = read ? codes.filter((_, i) => !isWhole(read[i]!)) : [];
  return (
    <details open={open}>
      <summary>{words.paste}</summary>
      <Field label={words.pasteLabel} hint={words.pasteHint} fault={fault}>
        {(wiring) => (
          <textarea {...wiring} rows={4} spellcheck={false} onInput={(event) => paste(event.currentTarget.value)} />
        )}
      </Field>
      {read && (
        <Notice tone={wrong.length ? "warn" : "good"} live>
          {wrong.length ? words.readWrong(wrong.join(", ")) : words.read}
        </Notice>
      )}
    </details>
  );
}
