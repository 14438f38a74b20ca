import { GROUPS, type VariableProfile } from "../../api";
import { count } from "../../numbers";
import { Button } from "../../parts/Button";
import { texts } from "../../texts";
import { byGroup, type Way } from "./deciding";

const words = texts.inventory;

interface Props {
  variables: readonly VariableProfile[];
  marks: ReadonlySet<string>;
  onMark(marks: ReadonlySet<string>): void;
  onChoose(way: Way, variable: VariableProfile): void;
  onTakeBack(variable: VariableProfile): void;
}

/** A row for each variable: what it is, what was found, what becomes of it. */
export function InventoryTable({ variables, marks, onMark, onChoose, onTakeBack }: Props) {
  const open = variables.filter((each) => each.open);
  const whole = open.every((each) => marks.has(each.name));
  const toggle = (names: readonly string[], on: boolean) => {
    const next = new Set(marks);
    for (const name of names) on ? next.add(name) : next.delete(name);
    onMark(next);
  };
  return (
    <table class="inventory">
      <caption class="hidden">{words.variables}</caption>
      <thead>
        <tr>
          <th scope="col">
            {open.length === 0 ? (
              <span class="hidden">{words.heads.mark}</span>
            ) : (
              <label class="choice">
                <input
                  type="checkbox"
                  checked={whole}
                  aria-label={words.markAll}
                  onChange={() => toggle(open.map((each) => each.name), !whole)}
                />
                <span class="only-narrow">{words.markAll}</span>
              </label>
            )}
          </th>
          <th scope="col">{words.heads.name}</th>
          <th scope="col">{words.heads.found}</th>
          <th scope="col">{words.heads.decision}</th>
        </tr>
      </thead>
      {[...byGroup(variables)].map(([group, some]) => (
        <tbody key={group}>
          <tr class="group">
            <th scope="rowgroup" colSpan={4}>
              {GROUPS[group][0]}
              <span class="under">{GROUPS[group][1]}</span>
            </th>
          </tr>
          {some.map((each) => (
            <tr key={each.name} class={marks.has(each.name) ? "chosen" : ""}>
              <td>
                {each.ways.length > 0 && (
                  <input
                    type="checkbox"
                    checked={marks.has(each.name)}
                    aria-label={words.mark(each.name)}
                    onChange={(event) => toggle([each.name], event.currentTarget.checked)}
                  />
                )}
              </td>
              <th scope="row">
                <code>{each.name}</code>
                {each.label && <span class="under">{each.label}</span>}
                <span class="under">
                  {texts.open.kinds[each.kind]}, {words.values(count(each.distinct))}
                </span>
              </th>
              <td class={each.findings.length || each.reason ? "" : "nothing"}>
                <Found variable={each} />
              </td>
              <td>
                <Outcome variable={each} onChoose={onChoose} onTakeBack={onTakeBack} />
              </td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

function Found({ variable }: { variable: VariableProfile }) {
  if (!variable.findings.length) return <span class="hint">{variable.reason || words.nothing}</span>;
  return (
    <ul class="findings">
      {variable.findings.map(({ kind, reason }) => (
        <li key={kind}>
          <strong>{words.kinds[kind]}</strong>
          <span class="under">{reason}</span>
        </li>
      ))}
    </ul>
  );
}

type OutcomeProps = Pick<Props, "onChoose" | "onTakeBack"> & { variable: VariableProfile };

function Outcome({ variable, onChoose, onTakeBack }: OutcomeProps) {
  const { name, decision, barred, open, ways } = variable;
  const { role, by, why } = decision;
  const tone = barred ? "bad" : open ? "warn" : "good";
  const sign = barred ? "✕" : open ? "!" : "✓";
  return (
    <div class="outcome">
      <span class={`badge ${tone}`}>
        {sign} {barred ? words.barred : words.roles[role]}
      </span>
      {barred && <span class="under">{words.barredHint}</span>}
      {by && <span class="under">{by}</span>}
      {role === "dropped" && <span class="under">{words.undo}</span>}
      {why && (
        <span class="under">
          {words.because(why)}{" "}
          <Button kind="quiet" small more={words.takeBackMore(name)} onClick={() => onTakeBack(variable)}>
            {words.takeBack}
          </Button>
        </span>
      )}
      {open && (
        <span class="buttons">
          {ways.map((way) => (
            <Button key={way} small more={words.wayOf[way](name)} onClick={() => onChoose(way, variable)}>
              {words.ways[way]}
            </Button>
          ))}
        </span>
      )}
    </div>
  );
}
