import { useState } from "preact/hooks";
import type { FileModels as Found, FileRiskQueryInput } from "../../api";
import { count, modelled, percent, plain } from "../../numbers";
import { Field } from "../../parts/Field";
import { Term } from "../../parts/Glossary";
import { Notice } from "../../parts/Notice";
import { NumberInput } from "../../parts/NumberInput";
import { Figures } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Segments } from "../../parts/Segments";
import { TextInput } from "../../parts/TextInput";
import { study } from "../../state";
import { texts } from "../../texts";
import { Asked } from "./Asked";
import { interactionsOf } from "./rows";

const words = texts.closer.file;
type Model = keyof typeof words.models;
type Way = keyof typeof words.ways;
type Pi = keyof typeof words.piOptions;
const MODELS = Object.keys(words.models) as Model[];

/** The risk of the file by a model that the person chooses, and by others beside it. */
export function FileModels({ scenario }: { scenario: string }) {
  const { keys, weight } = study.value!.scenarios.find((each) => each.name === scenario)!;
  const [model, setModel] = useState<Model>("loglinear");
  const [opinions, setOpinions] = useState<readonly Model[]>(["benedetti-franconi", "negative-binomial"]);
  const [way, setWay] = useState<Way>("auto");
  const [size, setSize] = useState(Math.min(2, keys.length));
  const [named, setNamed] = useState("");
  const [fraction, setFraction] = useState<number | null>(null);
  const [pi, setPi] = useState<Pi>("cell");
  const terms = { auto: [], size: [String(size)], named: interactionsOf(named) }[way];
  const query: FileRiskQueryInput = {
    scenario,
    model,
    interactions: model === "loglinear" ? terms : [],
    fraction: weight ? null : fraction,
    pi,
    opinions: opinions.filter((each) => each !== model),
  };
  const toggle = (name: Model, on: boolean) =>
    setOpinions(on ? [...opinions, name] : opinions.filter((each) => each !== name));
  return (
    <div class="stack">
      <p class="hint">{words.intro}</p>
      <div class="row fill">
        <Field label={words.model}>
          {(wiring) => (
            <select {...wiring} value={model} onChange={(event) => setModel(event.currentTarget.value as Model)}>
              {MODELS.map((each) => (
                <option key={each} value={each}>
                  {words.models[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {!weight && (
          <NumberInput
            label={words.fraction}
            hint={words.fractionHint}
            value={fraction}
            min={1e-9}
            max={1}
            optional
            onChange={setFraction}
            onEmpty={() => setFraction(null)}
          />
        )}
        {model === "loglinear" && way === "size" && (
          <NumberInput label={words.size} value={size} min={1} max={keys.length} whole onChange={setSize} />
        )}
        {model === "loglinear" && way === "named" && (
          <Field label={words.named} hint={words.namedHint}>
            {(wiring) => (
              <TextInput wiring={wiring} value={named} onChange={setNamed} />
            )}
          </Field>
        )}
      </div>
      {model === "loglinear" && (
        <div class="buttons">
          <span>{words.interactions}</span>
          <Segments<Way> label={words.interactions} options={words.ways} value={way} onChange={setWay} />
        </div>
      )}
      <div class="buttons">
        <span>{words.pi}</span>
        <Segments<Pi> label={words.pi} options={words.piOptions} value={pi} onChange={setPi} />
      </div>
      <fieldset>
        <legend>{words.opinions}</legend>
        <div class="checks">
          {MODELS.filter((each) => each !== model).map((each) => (
            <label class="choice" key={each}>
              <input
                type="checkbox"
                checked={opinions.includes(each)}
                onChange={(event) => toggle(each, event.currentTarget.checked)}
              />
              {words.models[each]}
            </label>
          ))}
        </div>
        <span class="hint">{words.slow}</span>
      </fieldset>
      {!weight && fraction === null ? (
        <p>{words.fractionHint}</p>
      ) : (
        <Asked route="GET /api/file-models" query={query}>
          {(found) => <Shown found={found} />}
        </Asked>
      )}
    </div>
  );
}

const tones = { "very low": "good", low: "good", moderate: "warn", high: "bad" } as const;

function Shown({ found }: { found: Found }) {
  const none = <span class="hint">{words.noAnswer}</span>;
  const [first] = found.models;
  const band = (ends: readonly [number, number] | undefined) =>
    ends && <span class="under">{words.interval(modelled(ends[0]), modelled(ends[1]))}</span>;
  return (
    <>
      {found.perturbed && <Notice tone="info">{texts.closer.before(found.perturbed)}</Notice>}
      {found.level && found.share_unique !== null && (
        <p>
          <span class={`badge ${tones[found.level]}`}>{found.level}</span> {percent(found.share_unique)}{" "}
          <Term name="fileRisk">{words.share}</Term>
        </p>
      )}
      <Scroll label={words.caption}>
        <table>
          <caption class="hidden">{words.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{words.model}</th>
              <th scope="col" class="number">
                {words.tau1}
              </th>
              <th scope="col" class="number">
                {words.tau2}
              </th>
              <th scope="col">{words.remark}</th>
            </tr>
          </thead>
          <tbody>
            {found.models.map((each) => {
              const name = words.models[each.model as Model];
              const ends = each === first ? found.interval : null;
              return (
                <tr key={each.model} class={each === first ? "chosen" : ""}>
                  <th scope="row">{each === first ? words.inUse(name) : name}</th>
                  <td class="number">
                    {each.tau1 === null ? none : modelled(each.tau1)} {band(ends?.tau1)}
                  </td>
                  <td class="number">
                    {each.tau2 === null ? none : modelled(each.tau2)} {band(ends?.tau2)}
                  </td>
                  <td>{each.remark}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      <Figures
        figures={[
          { name: <Term name="unique">{words.uniques}</Term>, value: count(found.sample_uniques) },
          {
            name: words.match,
            value: percent(found.correct_match),
            note: texts.closer.uniques.fractionUsed(plain(found.fraction, 3)),
          },
        ]}
      />
      {first?.model === "loglinear" && (
        <p class="hint">
          {found.interactions.length ? words.terms(found.interactions.join(", ")) : words.noTerms} {found.coverage}
        </p>
      )}
      {found.notices.map((text) => (
        <Notice key={text} tone="warn" children={text} />
      ))}
    </>
  );
}
