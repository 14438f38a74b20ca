import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { Variables } from "../../api";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { Notice } from "../../parts/Notice";
import { Card, Heading } from "../../parts/Page";
import { Waiting } from "../../parts/Waiting";
import { change, go, scenarioName, study } from "../../state";
import { texts } from "../../texts";
import { Assumptions } from "./Assumptions";
import { emptyDraft, lessons, scenarioOf, suggested, type Draft } from "./draft";
import { Roles } from "./Roles";

const words = texts.scenario;

export function Scenario() {
  const variables = useAnswer("GET /api/variables", null);
  return (
    <>
      <Heading title={words.title}>{words.intro}</Heading>
      <Waiting answer={variables}>{(found) => <Editor key={scenarioName.value} found={found} />}</Waiting>
    </>
  );
}

function Editor({ found }: { found: Variables }) {
  const now = study.value!;
  const known = now.scenarios.find((each) => each.name === scenarioName.value);
  const [draft, setDraft] = useState<Draft>(() => {
    if (known) return { ...known };
    const base = now.scenarios[0];
    if (base) return { ...base, name: "", keys: [], why: "" };
    return suggested(emptyDraft("main"), found.variables);
  });
  const present = found.variables.filter((each) => now.names.includes(each.name));
  const taken = !known && now.scenarios.some((each) => each.name === draft.name);
  const measure = async () => {
    if (await change("PUT /api/scenario", { body: scenarioOf(draft) })) {
      scenarioName.value = draft.name;
      go("risk");
    }
  };
  const missing = !draft.keys.length
    ? words.needKeys
    : !draft.name.trim()
      ? words.name
      : taken
        ? words.nameTaken
        : null;
  return (
    <>
      {now.scenarios.length > 0 && <Chooser />}
      {!known && now.scenarios.length > 0 && (
        <Card>
          <Field label={words.name} hint={words.nameHint} fault={taken ? words.nameTaken : null}>
            {(wiring) => (
              <input
                {...wiring}
                type="text"
                value={draft.name}
                onInput={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
              />
            )}
          </Field>
        </Card>
      )}
      <Roles draft={draft} variables={present} onChange={setDraft} />
      <Lessons texts={lessons(draft, present, found.records)} />
      <Assumptions draft={draft} onChange={setDraft} />
      {now.steps.length > 0 && <Notice tone="info">{words.again(now.steps.length)}</Notice>}
      <footer>
        <Button onClick={() => go("open")}>{texts.back(texts.steps.open)}</Button>
        <span class="buttons">
          <Button kind="primary" blocked={missing} onClick={() => void measure()}>
            {words.measure}
          </Button>
        </span>
      </footer>
    </>
  );
}

function Lessons({ texts: found }: { texts: readonly string[] }) {
  if (!found.length) return null;
  return (
    <section class="notices" aria-label={words.checks}>
      {found.map((text) => (
        <Notice key={text} tone="warn" children={text} />
      ))}
    </section>
  );
}

/** Which scenario is edited; another can be added. */
function Chooser() {
  const { scenarios } = study.value!;
  const known = scenarios.some((each) => each.name === scenarioName.value);
  const remove = async () => {
    await change("DELETE /api/scenario", { query: { name: scenarioName.value } });
  };
  return (
    <div class="buttons">
      <div class="segments" role="group" aria-label={words.choose}>
        {scenarios.map((each) => (
          <button
            type="button"
            key={each.name}
            aria-pressed={each.name === scenarioName.value}
            onClick={() => (scenarioName.value = each.name)}
          >
            {each.name}
          </button>
        ))}
        {!known && (
          <button type="button" aria-pressed={true}>
            {words.unnamed}
          </button>
        )}
      </div>
      {known && (
        <Button small onClick={() => (scenarioName.value = "")}>
          {words.add}
        </Button>
      )}
      {known && scenarios.length > 1 && scenarioName.value !== scenarios[0]!.name && (
        <Button small onClick={() => void remove()}>
          {words.remove}
        </Button>
      )}
      <span class="hint">{words.addHint}</span>
    </div>
  );
}
