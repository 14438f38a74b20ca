import { useState } from "preact/hooks";
import type { StepField, StepKind, VariableInfo } from "../../api";
import { Choices } from "../../parts/Choices";
import { Field } from "../../parts/Field";
import { NumberInput } from "../../parts/NumberInput";
import { Scroll } from "../../parts/Scroll";
import { study } from "../../state";
import { texts } from "../../texts";
import { fits, startValues, stepFrom, type Values } from "./forms";
import { usePreview } from "./preview";
import { PreviewPanel } from "./PreviewPanel";
import { keysOf, useVariables } from "./VariableChoice";

const words = texts.protect.more;

/** A form made from the description of a step. */
export function StepForm({ kind }: { kind: StepKind }) {
  const { scenarios } = study.value!;
  const [values, setValues] = useState<Values>(() => startValues(kind, scenarios[0]));
  const [round, setRound] = useState(0);
  const step = stepFrom(kind, values);
  const preview = usePreview(step);
  const clear = () => {
    setValues(startValues(kind, scenarios[0]));
    setRound(round + 1);
  };
  return (
    <div class="editor">
      <div class="stack" key={round}>
        <p class="hint">{kind.help}</p>
        {kind.fields.map((field) => (
          <Control
            key={field.name}
            kind={kind}
            field={field}
            value={values[field.name]}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
      </div>
      <PreviewPanel step={step} preview={preview} onApplied={clear} />
    </div>
  );
}

interface Props {
  kind: StepKind;
  field: StepField;
  value: unknown;
  onChange(value: unknown): void;
}

function Control({ kind, field, value, onChange }: Props) {
  const variables = useVariables((each) => fits(kind, field, each, study.value!.scenarios));
  switch (field.control) {
    case "variable":
      return <OneVariable field={field} variables={variables} value={value} onChange={onChange} />;
    case "variables":
      return <Variables field={field} variables={variables} value={value} onChange={onChange} />;
    case "number":
    case "whole":
      return (
        <NumberInput
          label={field.label}
          hint={field.help}
          value={typeof value === "number" ? value : null}
          min={-Infinity}
          max={Infinity}
          whole={field.control === "whole"}
          optional
          onChange={onChange}
          onEmpty={() => onChange(field.default)}
        />
      );
    case "text":
      return (
        <Field label={field.label} hint={field.help}>
          {(wiring) => (
            <input
              {...wiring}
              type="text"
              value={String(value ?? "")}
              onInput={(event) => onChange(event.currentTarget.value)}
            />
          )}
        </Field>
      );
    case "choice":
      return (
        <Choices
          title={field.label}
          options={Object.fromEntries(Object.entries(field.choices).map(([word, text]) => [word, [text, ""]]))}
          value={String(value)}
          onChange={onChange}
        />
      );
    case "switch":
      return (
        <label class="choice">
          <input
            type="checkbox"
            checked={value === true}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
          <span>
            {field.label}
            <span class="hint">{field.help}</span>
          </span>
        </label>
      );
    case "seed":
      return (
        <p class="hint">
          {words.seed} {field.help}
        </p>
      );
    case "plan":
      return <p class="hint">{field.help}</p>;
    case null:
      return null;
  }
}

interface VariableProps {
  field: StepField;
  variables: readonly VariableInfo[];
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

function Variables({ field, variables, value, onChange }: VariableProps) {
  const marked = new Set(Array.isArray(value) ? (value as string[]) : []);
  const keys = keysOf();
  const toggle = (name: string) => {
    const next = marked.has(name) ? [...marked].filter((each) => each !== name) : [...marked, name];
    onChange(variables.map((each) => each.name).filter((each) => next.includes(each)));
  };
  return (
    <fieldset>
      <legend>{field.label}</legend>
      <Scroll label={field.label} tall>
        {variables.map(({ name, label }) => (
          <label class="choice" key={name}>
            <input type="checkbox" checked={marked.has(name)} onChange={() => toggle(name)} />
            <span>
              <span>
                <code>{name}</code> {keys.has(name) && <span class="badge">{texts.protect.isKey}</span>}
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
