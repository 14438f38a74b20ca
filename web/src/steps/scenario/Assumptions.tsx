import { Card } from "../../parts/Page";
import { Choices } from "../../parts/Choices";
import { Term } from "../../parts/Glossary";
import { Field } from "../../parts/Field";
import { NumberInput } from "../../parts/NumberInput";
import { texts } from "../../texts";
import { underEstimator, type Draft } from "./draft";

const words = texts.scenario;

interface Props {
  draft: Draft;
  onChange(draft: Draft): void;
}

/** Missing rule, attack model, estimator, factor and the reason. */
export function Assumptions({ draft, onChange }: Props) {
  const put = (part: Partial<Draft>) => onChange({ ...draft, ...part });
  return (
    <Card title={words.assumptions}>
      <div class="columns">
        <div class="stack">
          <MissingRule draft={draft} put={put} />
          {draft.estimator === "cell" && (draft.missing ?? "wildcard") === "wildcard" && (
            <NumberInput
              label={words.alpha}
              hint={words.alphaHint}
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
              title={<Term name="estimator">{words.estimator.title}</Term>}
              options={words.estimator.options}
              value={draft.estimator}
              onChange={(estimator) => onChange(underEstimator(draft, estimator))}
            />
          ) : (
            <p class="hint">{words.estimator.needsWeight}</p>
          )}
          <Choices
            title={words.attack.title}
            options={words.attack.options}
            value={draft.attack}
            onChange={(attack) => put({ attack })}
          />
          <NumberInput
            label={words.factor}
            hint={words.factorHint}
            value={draft.factor}
            min={1e-9}
            max={1}
            onChange={(factor) => put({ factor })}
          />
        </div>
      </div>
      {draft.keys.length > 0 && (
        <details open={Object.keys(draft.error).length > 0}>
          <summary>{words.error}</summary>
          <p class="hint">{words.errorHint}</p>
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
        <Field label={words.lowWeights}>
          {(wiring) => (
            <select
              {...wiring}
              value={draft.clip_weights ? "clip" : "refuse"}
              onChange={(event) => put({ clip_weights: event.currentTarget.value === "clip" })}
            >
              {Object.entries(words.lowOptions).map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          )}
        </Field>
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

/** What a missing key means: under a model other rules than by cell. */
function MissingRule({ draft, put }: { draft: Draft; put(part: Partial<Draft>): void }) {
  const { title, byModel, options, some } = words.missing;
  const { missing } = draft;
  if (missing !== null && typeof missing === "object") {
    return <p class="hint">{some(Object.keys(missing).join(", "))}</p>;
  }
  if (draft.estimator === "model") {
    const value = missing === "category" ? "category" : "integrate";
    return <Choices title={title} options={byModel} value={value} onChange={(rule) => put({ missing: rule })} />;
  }
  const value = missing === null || missing === "integrate" ? "wildcard" : missing;
  return (
    <Choices
      title={title}
      options={options}
      value={value}
      onChange={(rule) => put({ missing: rule, ...(rule === "wildcard" ? {} : { alpha: 1 }) })}
    />
  );
}
