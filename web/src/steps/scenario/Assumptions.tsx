import { FORMS, type FormEntry, type VariableProfile } from "../../api";
import { Card } from "../../parts/Page";
import { Choices } from "../../parts/Choices";
import { Term } from "../../parts/Glossary";
import { Field } from "../../parts/Field";
import { NumberInput } from "../../parts/NumberInput";
import { choicesOf, OptionField, OtherFields } from "../../parts/OptionFields";
import { texts } from "../../texts";
import { underEstimator, type Draft } from "./draft";

const words = texts.scenario;
const form = FORMS.scenario;
/** What has a place of its own; all else that a scenario says stands below. */
const PLACED = [
  ...["name", "keys", "weight", "household", "person", "wave", "person_weights"],
  ...["missing", "alpha", "attack", "factor", "error", "estimator"],
];

interface Props {
  draft: Draft;
  variables: readonly VariableProfile[];
  onChange(draft: Draft): void;
}

/** Missing rule, attack model, estimator, factor, persons of several records, and the reason. */
export function Assumptions({ draft, variables, onChange }: Props) {
  const put = (part: Partial<Draft>) => onChange({ ...draft, ...part });
  return (
    <Card title={words.assumptions}>
      <div class="columns">
        <div class="stack">
          <MissingRule draft={draft} put={put} />
          {draft.estimator === "cell" && (draft.missing ?? "wildcard") === "wildcard" && (
            <NumberInput
              label={form.alpha.label}
              hint={form.alpha.help}
              value={draft.alpha}
              min={0}
              max={1}
              onChange={(alpha) => put({ alpha })}
            />
          )}
        </div>
        <div class="stack">
          {draft.weight ? (
            <Choices
              title={<Term name="estimator">{form.estimator.label}</Term>}
              options={{ file: words.estimator.file, ...choicesOf(form.estimator, words.estimator.hints) }}
              value={draft.estimator ?? "file"}
              onChange={(by) => onChange(underEstimator(draft, by === "file" ? null : by))}
            />
          ) : (
            <p class="hint">{words.estimator.needsWeight}</p>
          )}
          <Choices
            title={form.attack.label}
            options={choicesOf(form.attack, words.attackHints)}
            value={draft.attack}
            onChange={(attack) => put({ attack })}
          />
          <NumberInput
            label={form.factor.label}
            hint={form.factor.help}
            value={draft.factor}
            min={1e-9}
            max={1}
            onChange={(factor) => put({ factor })}
          />
        </div>
      </div>
      {draft.keys.length > 0 && (
        <details open={Object.keys(draft.error).length > 0}>
          <summary>{form.error.label}</summary>
          <p class="hint">{form.error.help}</p>
          <div class="row">
            {draft.keys.map((key) => (
              <NumberInput
                key={key}
                label={
                  <>
                    <span class="hidden">{words.errorOf("")}</span>
                    <code>{key}</code>
                  </>
                }
                value={draft.error[key] ?? 0}
                min={0}
                max={0.999}
                onChange={(chance) => put({ error: { ...draft.error, [key]: chance } })}
              />
            ))}
          </div>
        </details>
      )}
      <div class="columns">
        <div class="stack">
          <Persons draft={draft} names={variables.map((each) => each.name)} put={put} />
          <OtherFields form="scenario" but={PLACED} values={draft} onChange={put} />
        </div>
        <Field label={words.why} hint={words.whyHint}>
          {(wiring) => (
            <input
              {...wiring}
              type="text"
              value={draft.why}
              onInput={(event) => put({ why: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
    </Card>
  );
}

interface PersonProps {
  draft: Draft;
  names: readonly string[];
  put(part: Partial<Draft>): void;
}

/** Who the records are of, where a person has several; without a person there are no waves. */
function Persons({ draft, names, put }: PersonProps) {
  const { keys, weight, household, person, wave } = draft;
  const free = names.filter((name) => ![...keys, weight, household].includes(name));
  const none = { wave: form.wave.default, person_weights: form.person_weights.default };
  return (
    <>
      <Chosen
        field={form.person}
        names={free.filter((name) => name !== wave)}
        value={person}
        onChange={(name) => put(name ? { person: name } : { person: null, ...none })}
      />
      {person && (
        <>
          <Chosen
            field={form.wave}
            names={free.filter((name) => name !== person)}
            value={wave}
            onChange={(name) => put({ wave: name })}
          />
          <OptionField
            field={form.person_weights}
            value={draft.person_weights}
            onChange={(adds) => put({ person_weights: adds as Draft["person_weights"] })}
          />
        </>
      )}
    </>
  );
}

interface ChosenProps {
  field: FormEntry;
  names: readonly string[];
  value: string | null;
  onChange(name: string | null): void;
}

/** One variable, or none. */
function Chosen({ field, names, value, onChange }: ChosenProps) {
  return (
    <Field label={field.label} hint={field.help}>
      {(wiring) => (
        <select {...wiring} value={value ?? ""} onChange={(event) => onChange(event.currentTarget.value || null)}>
          <option value="">{words.roles.none}</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type Rule = keyof typeof form.missing.choices;

/** What a missing key means: under a model other rules than by cell. */
function MissingRule({ draft, put }: { draft: Draft; put(part: Partial<Draft>): void }) {
  const { missing } = draft;
  if (missing !== null && typeof missing === "object") {
    return <p class="hint">{words.missing.some(Object.keys(missing).join(", "))}</p>;
  }
  const all = choicesOf(form.missing, words.missing.hints);
  const choose = (rule: Rule) => put({ missing: rule, ...(rule === "wildcard" ? {} : { alpha: 1 }) });
  if (draft.estimator === "model") {
    const { integrate, category } = all;
    const value = missing === "category" ? "category" : "integrate";
    return <Choices title={form.missing.label} options={{ integrate, category }} value={value} onChange={(rule) => choose(rule)} />;
  }
  if (draft.estimator === null && draft.weight) {
    const usual = words.missing.usual;
    const value = missing === "category" ? "category" : "usual";
    const leave = (rule: "usual" | "category") => put({ missing: rule === "usual" ? null : rule });
    return (
      <Choices title={form.missing.label} options={{ usual, category: all.category }} value={value} onChange={leave} />
    );
  }
  const { integrate: _, ...options } = all;
  const value = missing === null || missing === "integrate" ? "wildcard" : missing;
  return <Choices title={form.missing.label} options={options} value={value} onChange={(rule) => choose(rule)} />;
}
