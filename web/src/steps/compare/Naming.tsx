import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { Uses, VariableProfile } from "../../api";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { Card } from "../../parts/Page";
import { Waiting } from "../../parts/Waiting";
import { change, said, study } from "../../state";
import { texts } from "../../texts";
import {
  formulaOf,
  forTables,
  forTerms,
  modelFault,
  NO_MODEL,
  NO_USES,
  tableFault,
  tablesOf,
  usable,
  withModel,
  withTable,
} from "./naming";

const words = texts.uses;
const MOST_OUTCOMES = 50; // categories: a variable with more is a number

/** Keep what matters, made from what mattered so far; tells whether it was done. */
export async function keepUses(make: (uses: Uses) => Uses, done: string): Promise<boolean> {
  const well = await change("PUT /api/uses", () => ({ body: make(study.value!.uses ?? NO_USES) }));
  if (well) said.value = done;
  return well;
}

/** Name the tables and models that users of the file need. */
export function Naming() {
  const { scenarios, names, uses } = study.value!;
  const answer = useAnswer("GET /api/variables", null);
  const empty = !tablesOf(uses).length && !uses?.models.length;
  return (
    <Card title={words.title}>
      <p class="hint">{words.intro}</p>
      <Waiting answer={answer}>
        {(found) => {
          const variables = usable(found.variables, scenarios, names);
          return (
            <div class="columns">
              <TableForm variables={forTables(variables)} />
              <ModelForm variables={forTerms(variables)} />
            </div>
          );
        }}
      </Waiting>
      {empty && <p class="hint">{words.nothing}</p>}
    </Card>
  );
}

interface ChoiceProps {
  label: string;
  hint?: string;
  variables: readonly VariableProfile[];
  value: string;
  none: string;
  onChange(name: string): void;
}

function VariableField({ label, hint, variables, value, none, onChange }: ChoiceProps) {
  return (
    <Field label={label} hint={hint}>
      {(wiring) => (
        <select {...wiring} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">{none}</option>
          {variables.map((each) => (
            <option key={each.name} value={each.name}>
              {each.label ? `${each.name}: ${each.label}` : each.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function TableForm({ variables }: { variables: readonly VariableProfile[] }) {
  const { uses } = study.value!;
  const [rows, setRows] = useState("");
  const [columns, setColumns] = useState("");
  const [tried, setTried] = useState(false);
  const fault = tableFault(uses, rows, columns);
  const add = async () => {
    setTried(true);
    if (fault) return;
    const named = columns ? `${rows} × ${columns}` : rows;
    if (!(await keepUses((before) => withTable(before, rows, columns), words.added(named)))) return;
    setRows("");
    setColumns("");
    setTried(false);
  };
  return (
    <fieldset class="stack">
      <legend>{words.table}</legend>
      <VariableField label={words.rows} variables={variables} value={rows} none={words.choose} onChange={setRows} />
      <VariableField
        label={words.columns}
        variables={variables}
        value={columns}
        none={words.oneWay}
        onChange={setColumns}
      />
      <Adding fault={tried || rows ? fault : null} add={() => void add()}>
        {words.addTable}
      </Adding>
    </fieldset>
  );
}

function Adding({ fault, add, children }: { fault: string | null; add(): void; children: string }) {
  return (
    <div class="buttons">
      <Button blocked={fault} onClick={add}>
        {children}
      </Button>
    </div>
  );
}

function ModelForm({ variables }: { variables: readonly VariableProfile[] }) {
  const { uses } = study.value!;
  const [model, setModel] = useState(NO_MODEL);
  const [next, setNext] = useState("");
  const [tried, setTried] = useState(false);
  const { outcome, terms } = model;
  const left = variables.filter(({ name }) => name !== outcome && !terms.includes(name));
  const fault = modelFault(uses, model);
  const choose = (name: string) => {
    setModel({ outcome: name, category: "", terms: terms.filter((each) => each !== name) });
    if (next === name) setNext("");
  };
  const put = () => {
    setModel({ ...model, terms: [...terms, next] });
    setNext("");
  };
  const add = async () => {
    setTried(true);
    if (fault) return;
    if (!(await keepUses((before) => withModel(before, model), words.added(formulaOf(model))))) return;
    setModel(NO_MODEL);
    setTried(false);
  };
  return (
    <fieldset class="stack">
      <legend>{words.model}</legend>
      <VariableField
        label={words.outcome}
        hint={words.outcomeHint}
        variables={variables}
        value={outcome}
        none={words.choose}
        onChange={choose}
      />
      {variables.some((each) => each.name === outcome && each.distinct > 2) && (
        <CategoryField
          variable={outcome}
          value={model.category}
          onChange={(category) => setModel({ ...model, category })}
        />
      )}
      <div class="with-button">
        <VariableField label={words.term} variables={left} value={next} none={words.choose} onChange={setNext} />
        <Button onClick={() => next && put()}>{words.addTerm}</Button>
      </div>
      {terms.length > 0 && (
        <ul class="chips">
          {terms.map((name) => (
            <li key={name}>
              <code>{name}</code>
              <button
                type="button"
                aria-label={words.removeTerm(name)}
                onClick={() => setModel({ ...model, terms: terms.filter((each) => each !== name) })}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <p>
        {words.formula}: <code>{formulaOf(model)}</code>
      </p>
      <Adding fault={tried || outcome ? fault : null} add={() => void add()}>
        {words.addModel}
      </Adding>
    </fieldset>
  );
}

/** The category whose odds a model explains, as it is now; nothing if the outcome has but numbers. */
function CategoryField({ variable, value, onChange }: { variable: string; value: string; onChange(code: string): void }) {
  const { value: found } = useAnswer("GET /api/variable", { name: variable });
  if (!found || found.categories.length <= 2 || found.categories.length > MOST_OUTCOMES) return null;
  return (
    <Field label={words.category}>
      {(wiring) => (
        <select {...wiring} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">{words.number}</option>
          {found.categories.map(({ code, label }) => (
            <option key={code} value={code}>
              {label ? `${code}: ${label}` : code}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
