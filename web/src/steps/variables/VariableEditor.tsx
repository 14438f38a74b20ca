import type { Declaration, VariableProfile } from "../../api";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { NumberInput } from "../../parts/NumberInput";
import { TextInput } from "../../parts/TextInput";
import { Waiting } from "../../parts/Waiting";
import { texts } from "../../texts";
import { codesIn, NOTHING, same, withRole, withType } from "./draft";
import { Choice } from "./ReadingCard";
import { AsRead } from "./AsRead";
import { useReading } from "./reading";

const words = texts.variables;
const { fields } = words;

interface Props {
  variable: VariableProfile;
  names: readonly string[];
  said: Declaration;
  onChange(said: Declaration): void;
}

/** What is said of one variable, and what it would be then. */
export function VariableEditor({ variable, names, said, onChange }: Props) {
  const answer = useReading(variable.name, said);
  const put = (part: Partial<Declaration>) => onChange({ ...said, ...part });
  const type = said.type ?? answer.value?.type ?? null;
  const guessed = variable.role === "other" ? "" : texts.open.roles[variable.role];
  return (
    <div class="stack describe">
      <header>
        <h2>
          <code>{variable.name}</code>
        </h2>
        {!same(said, NOTHING) && (
          <Button small kind="quiet" onClick={() => onChange(NOTHING)}>
            {words.takeBack}
          </Button>
        )}
      </header>
      <div class="row">
        <Choice
          label={fields.type}
          none={words.asFound(answer.value && !said.type ? words.types[answer.value.type] : texts.open.kinds[variable.kind])}
          options={words.types}
          value={said.type ?? ""}
          onChange={(next) => onChange(withType(said, (next || null) as Declaration["type"]))}
        />
        <Choice
          label={fields.role}
          none={words.guessed(guessed)}
          options={words.roles}
          value={said.role ?? ""}
          onChange={(next) => onChange(withRole(said, (next || null) as Declaration["role"]))}
        />
        <Field label={fields.label}>
          {(wiring) => (
            <TextInput
              wiring={wiring}
              value={said.label ?? variable.label}
              onChange={(label) => put({ label: label === variable.label ? null : label })}
            />
          )}
        </Field>
      </div>
      {type === "number" && <NumberFields said={said} put={put} />}
      {type === "date" && (
        <Choice
          label={fields.dates}
          none={words.dateFormats[""]}
          options={withoutFirst(words.dateFormats)}
          value={said.dates}
          onChange={(dates) => onChange({ ...said, type: "date", dates })}
        />
      )}
      <Field label={fields.missing} hint={fields.missingHint}>
        {(wiring) => (
          <TextInput
            wiring={wiring}
            value={(said.missing ?? answer.value?.missing_codes ?? []).join(", ")}
            onChange={(text) => put({ missing: codesIn(text) })}
          />
        )}
      </Field>
      {(said.role === "key" || said.role === "geography") && (
        <KeyFields said={said} names={names.filter((name) => name !== variable.name)} put={put} />
      )}
      <label class="choice">
        <input
          type="checkbox"
          checked={said.household_level ?? false}
          onChange={(event) => put({ household_level: event.currentTarget.checked || null })}
        />
        <span>{fields.shared}</span>
      </label>
      <label class="choice">
        <input
          type="checkbox"
          checked={said.identifying === false}
          onChange={(event) => put({ identifying: event.currentTarget.checked ? false : null })}
        />
        <span>{fields.noIdentifier}</span>
      </label>
      <Waiting answer={answer}>
        {(found) => <AsRead found={found} said={said} busy={answer.waiting !== null} onChange={onChange} />}
      </Waiting>
    </div>
  );
}

interface PartProps {
  said: Declaration;
  put(part: Partial<Declaration>): void;
}

function NumberFields({ said, put }: PartProps) {
  return (
    <div class="row">
      <Field label={fields.unit} hint={fields.unitHint}>
        {(wiring) => <TextInput wiring={wiring} value={said.unit} onChange={(unit) => put({ unit: unit.trim() })} />}
      </Field>
      <NumberInput
        label={fields.decimals}
        value={said.decimals}
        min={0}
        max={15}
        whole
        optional
        onChange={(decimals) => put({ decimals })}
        onEmpty={() => put({ decimals: null })}
      />
      <Choice
        label={fields.decimal}
        none={words.reading.asFile}
        options={words.reading.decimals}
        value={said.decimal}
        onChange={(decimal) => put({ type: "number", decimal })}
      />
      <Choice
        label={fields.thousands}
        none={words.reading.none}
        options={words.reading.thousandsMarks}
        value={said.thousands}
        onChange={(thousands) => put({ type: "number", thousands })}
      />
    </div>
  );
}

function KeyFields({ said, names, put }: PartProps & { names: readonly string[] }) {
  const place = said.role === "geography";
  const left = names.filter((name) => !said.linked.includes(name));
  return (
    <div class="stack">
      <div class="row">
        <NumberInput
          label={place ? fields.geoLevel : fields.level}
          hint={place ? fields.geoHint : fields.levelHint}
          value={said.level}
          min={1}
          max={99}
          whole
          optional
          onChange={(level) => put({ level })}
          onEmpty={() => put({ level: null })}
        />
        <NumberInput
          label={fields.cost}
          hint={fields.costHint}
          value={said.cost}
          min={1e-9}
          max={Infinity}
          optional
          onChange={(cost) => put({ cost })}
          onEmpty={() => put({ cost: null })}
        />
        <Field label={fields.linked} hint={fields.linkedHint}>
          {(wiring) => (
            <select
              {...wiring}
              value=""
              onChange={(event) => put({ linked: [...said.linked, event.currentTarget.value] })}
            >
              <option value="">{fields.addLinked}</option>
              {left.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {said.linked.length > 0 && (
        <ul class="chips">
          {said.linked.map((name) => (
            <li key={name}>
              <code>{name}</code>
              <button
                type="button"
                aria-label={fields.removeLinked(name)}
                onClick={() => put({ linked: said.linked.filter((each) => each !== name) })}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function withoutFirst({ "": _, ...others }: typeof words.dateFormats): Record<string, string> {
  return others;
}
