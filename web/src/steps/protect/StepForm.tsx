import { Fragment, type ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { FormEntry, StepKind, VariableProfile } from "../../api";
import { Button } from "../../parts/Button";
import { Choices } from "../../parts/Choices";
import { Field } from "../../parts/Field";
import { OptionField } from "../../parts/OptionFields";
import { Scroll } from "../../parts/Scroll";
import { study } from "../../state";
import { texts } from "../../texts";
import { CategoryGroups } from "./CategoryGroups";
import { Chances } from "./Chances";
import { applies, changedValues, fits, startValues, stepFrom, waysOf, type Values } from "./forms";
import { usePreview } from "./preview";
import { PreviewPanel } from "./PreviewPanel";
import { keysOf, useVariables } from "./VariableChoice";

const words = texts.protect.more;

/** A form made from the description of a step. */
export function StepForm({ kind }: { kind: StepKind }) {
  const { scenarios, roles, names } = study.value!;
  const strata = roles.strata.filter((each) => names.includes(each));
  const ways = waysOf(kind);
  const [values, setValues] = useState<Values>(() => startValues(kind, scenarios[0], strata));
  const [way, setWay] = useState(ways[0] ?? "");
  const [round, setRound] = useState(0);
  const step = stepFrom(kind, values, way);
  const preview = usePreview(step);
  const clear = () => {
    setValues(startValues(kind, scenarios[0], strata));
    setWay(ways[0] ?? "");
    setRound(round + 1);
  };
  const first = kind.fields.find((field) => field.way !== "");
  return (
    <div class="editor">
      <div class="stack" key={round}>
        <p class="hint">{kind.help}</p>
        {kind.fields.map((field) => (
          <Fragment key={field.name}>
            {field === first && (
              <Choices
                title={words.ways}
                options={Object.fromEntries(ways.map((each) => [each, [each, ""]]))}
                value={way}
                onChange={setWay}
              />
            )}
            {applies(field, values, way) && (
              <Control
                kind={kind}
                field={field}
                subject={typeof values.variable === "string" ? values.variable : ""}
                value={values[field.name]}
                onChange={(value) => setValues(changedValues(kind, values, field.name, value))}
              />
            )}
          </Fragment>
        ))}
      </div>
      <PreviewPanel step={step} preview={preview} onApplied={clear} />
    </div>
  );
}

interface Props {
  kind: StepKind;
  field: FormEntry;
  /** The variable that the step is about, once it was chosen. */
  subject: string;
  value: unknown;
  onChange(value: unknown): void;
}

function Control({ kind, field, subject, value, onChange }: Props) {
  const variables = useVariables((each) => fits(kind, field, each, study.value!.scenarios));
  switch (field.control) {
    case "variable":
      return <OneVariable field={field} variables={variables} value={value} onChange={onChange} />;
    case "variables":
      return (
        <Optional field={field} chosen={namesIn(value).join(", ")}>
          <Variables field={field} variables={variables} value={value} onChange={onChange} />
        </Optional>
      );
    case "sets":
      return (
        <Optional field={field} chosen={setsIn(value).map((each) => each.join(" + ")).join(", ")}>
          <Sets field={field} variables={variables} value={value} onChange={onChange} />
        </Optional>
      );
    case "matrix":
      return <Chances key={subject} field={field} variable={subject} onChange={onChange} />;
    case "groups":
      return (
        <Optional field={field} chosen={setsIn(value).map((each) => each.join(" + ")).join(", ")}>
          <CategoryGroups key={subject} field={field} variable={subject} onChange={onChange} />
        </Optional>
      );
    case "seed":
      return (
        <p class="hint">
          {words.seed} {field.help}
        </p>
      );
    default:
      return <OptionField field={field} value={value} onChange={onChange} />;
  }
}

interface VariableProps {
  field: Pick<FormEntry, "label" | "help" | "required" | "ordered">;
  variables: readonly VariableProfile[];
  value: unknown;
  onChange(value: unknown): void;
}

function OneVariable({ field, variables, value, onChange }: VariableProps) {
  const keys = keysOf();
  return (
    <Field label={field.label} hint={field.help}>
      {(wiring) => (
        <select
          {...wiring}
          value={String(value ?? "")}
          onChange={(event) => onChange(event.currentTarget.value || null)}
        >
          <option value="">{field.required ? words.choose : words.none}</option>
          {variables.map(({ name, label }) => (
            <option key={name} value={name}>
              {name}
              {label && ` – ${label}`}
              {keys.has(name) && ` (${texts.protect.isKey})`}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as string[]) : [];
}

function setsIn(value: unknown): readonly (readonly string[])[] {
  return Array.isArray(value) ? (value as string[][]) : [];
}

/** What may be left alone is folded away, with what was chosen beside its name. */
function Optional({ field, chosen, children }: { field: FormEntry; chosen: string; children: ComponentChildren }) {
  if (field.required) return <>{children}</>;
  return (
    <details>
      <summary>
        {field.label}: {chosen || words.none}
      </summary>
      {children}
    </details>
  );
}

/** Several sets of variables, one after the other; those in which nothing is chosen do not count. */
function Sets({ field, variables, value, onChange }: VariableProps) {
  const [sets, setSets] = useState<readonly (readonly string[])[]>(() => [...setsIn(value), []]);
  const put = (place: number, names: unknown) => {
    const next = sets.map((each, i) => (i === place ? namesIn(names) : each));
    setSets(next);
    onChange(next.filter((each) => each.length > 0));
  };
  return (
    <div class="stack">
      {sets.map((each, i) => (
        <Variables
          key={i}
          field={{ ...field, label: words.set(i + 1), help: i === sets.length - 1 ? field.help : "" }}
          variables={variables}
          value={each}
          onChange={(names) => put(i, names)}
        />
      ))}
      <div class="buttons">
        <Button
          small
          blocked={sets[sets.length - 1]!.length ? null : words.setFirst}
          onClick={() => setSets([...sets, []])}
        >
          {words.addSet}
        </Button>
      </div>
    </div>
  );
}

export function Variables({ field, variables, value, onChange }: VariableProps) {
  const marked = namesIn(value);
  const keys = keysOf();
  const toggle = (name: string) => {
    const next = marked.includes(name) ? marked.filter((each) => each !== name) : [...marked, name];
    onChange(field.ordered ? next : variables.map((each) => each.name).filter((each) => next.includes(each)));
  };
  return (
    <fieldset>
      <legend>{field.label}</legend>
      <Scroll label={field.label} tall>
        {variables.map(({ name, label }) => (
          <label class="choice" key={name}>
            <input type="checkbox" checked={marked.includes(name)} onChange={() => toggle(name)} />
            <span>
              <span>
                <code>{name}</code> {keys.has(name) && <span class="badge">{texts.protect.isKey}</span>}{" "}
                {field.ordered && marked.includes(name) && (
                  <span class="badge">{words.place(marked.indexOf(name) + 1)}</span>
                )}
              </span>
              <span class="hint">{label}</span>
            </span>
          </label>
        ))}
      </Scroll>
      {field.help && <span class="hint">{field.help}</span>}
    </fieldset>
  );
}
