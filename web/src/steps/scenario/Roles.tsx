import { useState } from "preact/hooks";
import type { VariableProfile } from "../../api";
import { Card } from "../../parts/Page";
import { Term } from "../../parts/Glossary";
import { texts } from "../../texts";
import { matches } from "../open/VariableTable";
import { roleIn, withRole, type Draft, type Role } from "./draft";

const words = texts.scenario;
const ZONES = ["key", "weight", "household"] as const;
const MANY = 12;

interface Props {
  draft: Draft;
  variables: readonly VariableProfile[];
  onChange(draft: Draft): void;
}

/** Roles by dragging, or by the choice beside each variable. */
export function Roles({ draft, variables, onChange }: Props) {
  const [sought, setSought] = useState("");
  const order = variables.map((each) => each.name);
  const give = (name: string, role: Role) => onChange(withRole(draft, name, role, order));
  const found = variables.filter((each) => matches(each, sought));
  return (
    <div class="columns roles">
      <Card title={words.variables}>
        <p class="hint">{words.drag}</p>
        {variables.length > MANY && (
          <input
            type="search"
            aria-label={texts.open.filter}
            placeholder={texts.open.filter}
            value={sought}
            onInput={(event) => setSought(event.currentTarget.value)}
          />
        )}
        <ul class="tray" {...dropTarget("none", give)}>
          {found.map((each) => (
            <Item key={each.name} variable={each} role={roleIn(draft, each.name)} give={give} />
          ))}
        </ul>
      </Card>
      <div class="zones">
        {ZONES.map((zone) => (
          <Zone
            key={zone}
            zone={zone}
            names={order.filter((name) => roleIn(draft, name) === zone)}
            variables={variables}
            give={give}
          />
        ))}
      </div>
    </div>
  );
}

type Give = (name: string, role: Role) => void;

function dragSource(name: string) {
  return {
    draggable: true,
    onDragStart(event: DragEvent) {
      event.dataTransfer?.setData("text/plain", name);
      if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
    },
  };
}

function dropTarget(role: Role, give: Give) {
  const mark = (event: DragEvent, on: boolean) =>
    (event.currentTarget as Element).classList.toggle("over", on);
  return {
    onDragOver(event: DragEvent) {
      event.preventDefault();
      mark(event, true);
    },
    onDragLeave: (event: DragEvent) => mark(event, false),
    onDrop(event: DragEvent) {
      event.preventDefault();
      mark(event, false);
      const name = event.dataTransfer?.getData("text/plain");
      if (name) give(name, role);
    },
  };
}

function Item({ variable, role, give }: { variable: VariableProfile; role: Role; give: Give }) {
  const { name, label, meaning } = variable;
  return (
    <li class={role === "none" ? "" : "used"} {...dragSource(name)}>
      <span class="grip" aria-hidden="true">
        ⠿
      </span>
      <span class="name">
        <code>{name}</code>
        {(label || meaning) && <span class="under">{label || meaning}</span>}
      </span>
      <select
        aria-label={words.roleOf(name)}
        value={role}
        onChange={(event) => give(name, event.currentTarget.value as Role)}
      >
        {Object.entries(words.roles).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </li>
  );
}

interface ZoneProps {
  zone: (typeof ZONES)[number];
  names: readonly string[];
  variables: readonly VariableProfile[];
  give: Give;
}

function Zone({ zone, names, variables, give }: ZoneProps) {
  return (
    <section class="card zone" aria-label={words.zones[zone]} {...dropTarget(zone, give)}>
      <h2>
        <Term name={zone}>{words.zones[zone]}</Term>
      </h2>
      {names.length ? (
        <ul class="chips">
          {names.map((name) => (
            <li key={name} {...dragSource(name)} title={variables.find((each) => each.name === name)?.label}>
              <code>{name}</code>
              <button type="button" aria-label={words.takeOut(name)} onClick={() => give(name, "none")}>
                ×
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <p class="hint">{words.emptyZone[zone]}</p>
      )}
      {zone === "key" && <p class="hint">{words.typical}</p>}
    </section>
  );
}
