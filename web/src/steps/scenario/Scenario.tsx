import { signal } from "@preact/signals";
import { useAnswer } from "../../answer";
import type { Variables } from "../../api";
import { Button } from "../../parts/Button";
import { Notice } from "../../parts/Notice";
import { Heading } from "../../parts/Page";
import { Waiting } from "../../parts/Waiting";
import { change, fileKey, go, scenarioName, study } from "../../state";
import { texts } from "../../texts";
import { Assumptions } from "./Assumptions";
import { emptyDraft, lessons, suggested, type Draft } from "./draft";
import { edited, faultOf, listOf, requestOf, type Scenarios } from "./list";
import { Proposed } from "./Proposed";
import { Roles } from "./Roles";
import { ScenarioList } from "./ScenarioList";

const words = texts.scenario;

/** What is being edited; kept while the user looks elsewhere, as long as the study has the same scenarios. */
const kept = signal<{ readonly key: string; readonly list: Scenarios } | null>(null);

export function Scenario() {
  const variables = useAnswer("GET /api/variables", null);
  return (
    <>
      <Heading title={words.title}>{words.intro}</Heading>
      <Waiting answer={variables}>{(found) => <Editor found={found} />}</Waiting>
    </>
  );
}

function Editor({ found }: { found: Variables }) {
  const now = study.value!;
  const key = JSON.stringify([fileKey.value, now.scenarios]);
  const first = () => suggested(emptyDraft("main"), found.variables);
  const list = kept.value?.key === key ? kept.value.list : listOf(now.scenarios, scenarioName.value, first);
  const setList = (next: Scenarios) => (kept.value = { key, list: next });
  const { draft } = list.all[list.at]!;
  const setDraft = (next: Draft) => setList(edited(list, next));
  const present = found.variables.filter((each) => now.names.includes(each.name));
  const measure = async () => {
    if (await change("PUT /api/scenarios", { body: requestOf(list) })) {
      scenarioName.value = draft.name;
      kept.value = null;
      go("risk");
    }
  };
  return (
    <>
      <ScenarioList list={list} onChange={setList} />
      <Proposed draft={draft} variables={present} onChange={setDraft} />
      <Roles key={list.at} draft={draft} variables={present} onChange={setDraft} />
      <Lessons texts={lessons(draft, present, found.records)} />
      <Assumptions key={`assumptions ${list.at}`} draft={draft} variables={present} onChange={setDraft} />
      {now.steps.length > 0 && <Notice tone="info">{words.again(now.steps.length)}</Notice>}
      <footer>
        <Button onClick={() => go("open")}>{texts.back(texts.steps.open)}</Button>
        <span class="buttons">
          <Button kind="primary" blocked={faultOf(list)} onClick={() => void measure()}>
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
