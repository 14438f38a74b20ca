import { useState } from "preact/hooks";
import type { VariableProfile } from "../../api";
import { Segments } from "../../parts/Segments";
import { texts } from "../../texts";
import { matches } from "../open/VariableTable";
import type { Said } from "./draft";

const words = texts.variables;
const MANY = 12;

interface Props {
  variables: readonly VariableProfile[];
  said: Said;
  changed: readonly string[];
  chosen: string;
  onChoose(name: string): void;
}

/** The variables, one of which is described. */
export function VariableList({ variables, said, changed, chosen, onChoose }: Props) {
  const [sought, setSought] = useState("");
  const [filter, setFilter] = useState<"all" | "said">("all");
  const spoken = variables.filter((each) => said[each.name] || changed.includes(each.name));
  const shown = (filter === "said" ? spoken : variables).filter((each) => matches(each, sought));
  return (
    <div class="stack">
      <h2>{words.list}</h2>
      {variables.length > MANY && (
        <input
          type="search"
          aria-label={texts.open.filter}
          placeholder={texts.open.filter}
          value={sought}
          onInput={(event) => setSought(event.currentTarget.value)}
        />
      )}
      {spoken.length > 0 && (
        <Segments<"all" | "said">
          label={words.show}
          options={{ all: words.filters.all(variables.length), said: words.filters.said(spoken.length) }}
          value={filter}
          onChange={setFilter}
        />
      )}
      <ul class="variables" aria-label={words.list}>
        {shown.map((each) => (
          <li key={each.name}>
            <button type="button" aria-current={each.name === chosen ? "true" : undefined} onClick={() => onChoose(each.name)}>
              <span>
                <code>{each.name}</code>
                <Mark name={each.name} said={said} changed={changed} />
                {(said[each.name]?.label ?? each.label) && (
                  <span class="under">{said[each.name]?.label ?? each.label}</span>
                )}
              </span>
              <span class="hint">{kindOf(each, said)}</span>
            </button>
          </li>
        ))}
      </ul>
      {!shown.length && <p class="hint">{words.none}</p>}
    </div>
  );
}

function Mark({ name, said, changed }: { name: string; said: Said; changed: readonly string[] }) {
  if (changed.includes(name)) return <span class="badge warn">{words.changed}</span>;
  return said[name] ? <span class="badge good">{words.said}</span> : null;
}

function kindOf(variable: VariableProfile, said: Said): string {
  const type = said[variable.name]?.type;
  const role = said[variable.name]?.role;
  const guessed = variable.role === "other" ? "" : texts.open.roles[variable.role];
  const shown = role ? (role === "other" ? "" : words.roles[role]) : guessed;
  const kind = variable.numeric && variable.kind === "text" ? words.types.number : texts.open.kinds[variable.kind];
  return [type ? words.types[type] : kind, shown].filter(Boolean).join(" · ");
}
