import { useState } from "preact/hooks";
import type { FormEntry, VariableProfile } from "../../api";
import { count } from "../../numbers";
import { Scroll } from "../../parts/Scroll";
import { texts } from "../../texts";
import { groupsOf } from "./chances";
import { CategoryName, OfCategories } from "./OfCategories";

const words = texts.protect.chances;

interface Props {
  field: FormEntry;
  variable: string;
  onChange(groups: string[][]): void;
}

/** Groups of a variable's categories. */
export function CategoryGroups({ field, variable, onChange }: Props) {
  return (
    <OfCategories variable={variable}>
      {(found) => <Table field={field} detail={found} onChange={onChange} />}
    </OfCategories>
  );
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

function Table({ field, detail, onChange }: { field: FormEntry; detail: VariableProfile; onChange: Props["onChange"] }) {
  const [places, setPlaces] = useState<Readonly<Record<string, string>>>({});
  const used = new Set(Object.values(places).filter((name) => name !== ""));
  const offered = [...LETTERS].slice(0, used.size + 1);
  const put = (code: string, name: string) => {
    const next = { ...places, [code]: name };
    setPlaces(next);
    onChange(groupsOf(Object.fromEntries(detail.categories.map((each) => [each.code, next[each.code] ?? ""]))));
  };
  return (
    <fieldset>
      <legend class="hidden">{field.label}</legend>
      <span class="hint">{field.help}</span>
      <Scroll label={field.label} tall>
        <table>
          <thead>
            <tr>
              {words.groupHeads.map((head, i) => (
                <th scope="col" class={i === 1 ? "number" : ""} key={head}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {detail.categories.map((category) => (
              <tr key={category.code}>
                <CategoryName of={category} />
                <td class="number">{count(category.records)}</td>
                <td>
                  <select
                    aria-label={words.group(category.code)}
                    value={places[category.code] ?? ""}
                    onChange={(event) => put(category.code, event.currentTarget.value)}
                  >
                    <option value="">{words.noGroup}</option>
                    {[...new Set([...used, ...offered])].sort().map((name) => (
                      <option key={name} value={name}>
                        {name}
                      </option>
                    ))}
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </fieldset>
  );
}
