import { useState } from "preact/hooks";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { study } from "../../state";
import { texts } from "../../texts";
import { toggleLink, type SuppressDraft } from "./suppression";
import { useVariables } from "./VariableChoice";

const words = texts.protect.suppress.linked;

interface Props {
  keys: readonly string[];
  linked: SuppressDraft["linked"];
  onChange(linked: SuppressDraft["linked"]): void;
}

/** Variables that lose their value wherever a key does. */
export function Linked({ keys, linked, onChange }: Props) {
  const fixed = new Set(study.value!.scenarios.flatMap((each) => [each.weight, each.household]));
  const [chosen, setKey] = useState("");
  const [variable, setVariable] = useState("");
  const key = keys.includes(chosen) ? chosen : (keys[0] ?? "");
  const others = useVariables((each) => each.name !== key && !fixed.has(each.name));
  const links = Object.entries(linked).flatMap(([name, more]) => more.map((each) => [name, each] as const));
  const told = links.map((each) => each.join(" → ")).join(", ");
  const possible = others.some((each) => each.name === variable) && !linked[key]?.includes(variable);
  const add = () => {
    onChange(toggleLink(linked, key, variable));
    setVariable("");
  };
  return (
    <details open={links.length > 0}>
      <summary>
        {words.title}: {told || words.none}
      </summary>
      <div class="stack">
        <p class="hint">{words.hint}</p>
        {links.length > 0 && (
          <ul class="chips" aria-label={words.title}>
            {links.map(([name, each]) => (
              <li key={`${name} ${each}`}>
                <code>
                  {name} → {each}
                </code>
                <button
                  type="button"
                  aria-label={words.remove(name, each)}
                  onClick={() => onChange(toggleLink(linked, name, each))}
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
        )}
        <div class="row">
          <Field label={words.key}>
            {(wiring) => (
              <select {...wiring} value={key} onChange={(event) => setKey(event.currentTarget.value)}>
                {keys.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            )}
          </Field>
          <Field label={words.variable}>
            {(wiring) => (
              <select {...wiring} value={variable} onChange={(event) => setVariable(event.currentTarget.value)}>
                <option value="">{texts.protect.more.choose}</option>
                {others.map(({ name, label }) => (
                  <option key={name} value={name}>
                    {name}
                    {label && ` – ${label}`}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <div class="buttons">
          <Button small blocked={possible ? null : words.choose} onClick={add}>
            {words.add}
          </Button>
        </div>
      </div>
    </details>
  );
}
