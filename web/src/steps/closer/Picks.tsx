import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { VariableProfile } from "../../api";
import { texts } from "../../texts";
import { matches } from "../open/VariableTable";

const MANY = 12;

interface Props {
  title: ComponentChildren;
  hint?: string;
  variables: readonly VariableProfile[];
  chosen: readonly string[];
  onChange(chosen: string[]): void;
}

/** Some of many variables: those chosen are always shown, of the others as many as fit. */
export function Picks({ title, hint, variables, chosen, onChange }: Props) {
  const [sought, setSought] = useState("");
  const others = variables.filter((each) => !chosen.includes(each.name) && matches(each, sought));
  const shown = [...variables.filter((each) => chosen.includes(each.name)), ...others.slice(0, MANY)];
  const toggle = (name: string, on: boolean) =>
    onChange(on ? [...chosen, name] : chosen.filter((each) => each !== name));
  return (
    <fieldset>
      <legend>{title}</legend>
      {variables.length > MANY && (
        <input
          type="search"
          class="find"
          aria-label={texts.closer.find}
          placeholder={texts.closer.find}
          value={sought}
          onInput={(event) => setSought(event.currentTarget.value)}
        />
      )}
      <div class="checks">
        {shown.map(({ name, label }) => (
          <label class="choice" key={name} title={label || undefined}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={(event) => toggle(name, event.currentTarget.checked)}
            />
            <code>{name}</code>
          </label>
        ))}
      </div>
      {others.length > MANY && <span class="hint">{texts.closer.moreOthers(others.length - MANY)}</span>}
      {hint && <span class="hint">{hint}</span>}
    </fieldset>
  );
}
