import type { Declaration, VariableReading } from "../../api";
import { count } from "../../numbers";
import { Scroll } from "../../parts/Scroll";
import { TextInput } from "../../parts/TextInput";
import { texts } from "../../texts";
import { inOrder, movedUp, withMissing } from "./draft";

const words = texts.variables;
const { preview, fields } = words;

interface Props {
  found: VariableReading;
  said: Declaration;
  onChange(said: Declaration): void;
}

/** The first codes with their records: labels, what stands for missing, and the order. */
export function CodeTable({ found, said, onChange }: Props) {
  const missing = said.missing ?? found.missing_codes;
  const codes = inOrder(said.order.map(String), found.categories.map((each) => each.code));
  const labels = new Map(Object.entries(said.labels));
  const ordered = said.order.length > 0;
  const category = found.type === "category" && !found.fault;
  const order = (next: readonly string[]) => onChange({ ...said, type: said.type ?? "category", order: next });
  const rows = [
    ...codes.map((code) => ({ ...found.categories.find((each) => each.code === code)!, gone: false })),
    ...found.missing_codes.map((code) => ({ code, label: found.missing_labels[code] ?? "", records: null, gone: true })),
  ];
  const label = (code: string, text: string, old: string) => {
    const { [code]: _, ...others } = said.labels;
    onChange({ ...said, labels: text === old && !labels.has(code) ? said.labels : { ...others, [code]: text } });
  };
  return (
    <>
      {category && codes.length > 1 && codes.length === found.distinct && (
        <label class="choice">
          <input type="checkbox" checked={ordered} onChange={(event) => order(event.currentTarget.checked ? codes : [])} />
          <span>{fields.ordered}</span>
        </label>
      )}
      <Scroll label={preview.codes(found.name)} tall>
        <table class="codes">
          <caption class="hidden">{preview.codes(found.name)}</caption>
          <thead>
            <tr>
              <th scope="col">{preview.heads.code}</th>
              <th scope="col">{preview.heads.label}</th>
              <th scope="col" class="number">
                {preview.heads.records}
              </th>
              <th scope="col">{preview.heads.missing}</th>
              {ordered && <th scope="col">{preview.heads.order}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map((each, at) => (
              <tr key={each.code} class={each.gone ? "gone" : ""}>
                <th scope="row">
                  <code>{each.code}</code>
                </th>
                <td>
                  <TextInput
                    label={preview.labelOf(each.code)}
                    value={labels.get(each.code) ?? each.label}
                    onChange={(text) => label(each.code, text.trim(), each.label)}
                  />
                </td>
                <td class="number">{each.records === null ? "" : count(each.records)}</td>
                <td>
                  <input
                    type="checkbox"
                    aria-label={preview.missingOf(each.code)}
                    checked={missing.some((code) => String(code) === each.code)}
                    onChange={(event) => onChange(withMissing(said, missing, each.code, event.currentTarget.checked))}
                  />
                </td>
                {ordered && (
                  <td>
                    {at > 0 && !each.gone && (
                      <button
                        type="button"
                        class="button small"
                        aria-label={preview.up(each.code)}
                        onClick={() => order(movedUp(codes, each.code))}
                      >
                        ↑
                      </button>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {found.distinct > codes.length && <p class="hint">{preview.first(codes.length, count(found.distinct))}</p>}
    </>
  );
}
