import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { StepField, VariableDetail } from "../../api";
import { count } from "../../numbers";
import { Notice } from "../../parts/Notice";
import { Scroll } from "../../parts/Scroll";
import { Waiting } from "../../parts/Waiting";
import { texts } from "../../texts";
import { groupsOf } from "./chances";

const words = texts.protect.chances;

interface Props {
  field: StepField;
  variable: string;
  onChange(groups: string[][]): void;
}

/** Groups of a variable's categories. */
export function CategoryGroups({ field, variable, onChange }: Props) {
  const detail = useAnswer("GET /api/variable", { name: variable }, variable !== "");
  if (!variable) return <p class="hint">{words.first}</p>;
  return (
    <Waiting answer={detail}>
      {(found) =>
        found.categories.length ? (
          <Table field={field} detail={found} onChange={onChange} />
        ) : (
          <Notice tone="info">{words.none}</Notice>
        )
      }
    </Waiting>
  );
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

function Table({ field, detail, onChange }: { field: StepField; detail: VariableDetail; onChange: Props["onChange"] }) {
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
            {detail.categories.map(({ code, label, records }) => (
              <tr key={code}>
                <th scope="row">
                  <code>{code}</code> <span class="hint">{label}</span>
                </th>
                <td class="number">{count(records)}</td>
                <td>
                  <select
                    aria-label={words.group(code)}
                    value={places[code] ?? ""}
                    onChange={(event) => put(code, event.currentTarget.value)}
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
