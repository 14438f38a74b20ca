import { useRef, useState } from "preact/hooks";
import { useAnswer, useDecided } from "../../answer";
import type { InventoryList, VariableProfile } from "../../api";
import { count } from "../../numbers";
import { Button } from "../../parts/Button";
import { Notice } from "../../parts/Notice";
import { Figures, Heading } from "../../parts/Page";
import { Segments } from "../../parts/Segments";
import { Waiting } from "../../parts/Waiting";
import { blocked, change, decided, decisionsKey, go, said, study, toRecode } from "../../state";
import { texts } from "../../texts";
import { DecideForm } from "./DecideForm";
import { countOf, listed, reasonFor, stepsFor, type Decision, type Filter, type Way } from "./deciding";
import { InventoryTable } from "./InventoryTable";
import { Telling } from "./Telling";

const words = texts.inventory;
const MANY = 15;

/** Every variable, what was found about it, and what becomes of it. */
export function Inventory() {
  const next = blocked("compare", study.value) ? "release" : "compare";
  return (
    <>
      <Heading title={words.title}>{words.intro}</Heading>
      <Listed />
      <footer>
        <Button onClick={() => go("protect")}>{texts.back(texts.steps.protect)}</Button>
        <Button kind={decided.value === decisionsKey.value ? "primary" : ""} onClick={() => go(next)}>
          {texts.next(texts.steps[next])}
        </Button>
      </footer>
    </>
  );
}

/** The list; while it is made anew the last one stays, so that nothing jumps. */
function Listed() {
  const answer = useAnswer("GET /api/inventory", null, true, decisionsKey.value);
  const last = useRef<InventoryList | null>(null);
  if (answer.value) last.current = answer.value;
  useDecided(answer.value);
  const found = answer.refusal ? null : last.current;
  if (!found) return <Waiting answer={answer}>{() => null}</Waiting>;
  return <Deciding found={found} busy={answer.waiting !== null} />;
}

function Deciding({ found, busy }: { found: InventoryList; busy: boolean }) {
  const counts = countOf(found.variables);
  const [filter, setFilter] = useState<Filter>(counts.open ? "open" : "all");
  const [sought, setSought] = useState("");
  const [marks, setMarks] = useState<ReadonlySet<string>>(new Set());
  const [why, setWhy] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  const reason = useRef<HTMLInputElement>(null);
  const shown = listed(found.variables, filter, sought);
  const marked = found.variables.filter((each) => marks.has(each.name) && each.ways.length);

  const decide = async (way: Decision, variables: readonly VariableProfile[]) => {
    const done = await take(way, variables, why);
    if (!done) return;
    // What was marked and typed meanwhile stays.
    const names = new Set(variables.map((each) => each.name));
    setMarks((now) => new Set([...now].filter((name) => !names.has(name))));
    setWhy((now) => (now === why ? "" : now));
    said.value = words.done[way](variables.length);
    if (!document.activeElement?.isConnected || document.activeElement === document.body) heading.current?.focus();
  };
  const choose = (way: Way, variable: VariableProfile) => {
    if (way === "coarsen") {
      toRecode.value = variable.name;
      return go("protect");
    }
    if (way !== "keep") return void decide(way, [variable]);
    setMarks(new Set([variable.name]));
    requestAnimationFrame(() => reason.current?.focus());
  };
  const takeBack = async ({ name }: VariableProfile) => {
    if (await change("PUT /api/keep", { body: { variables: [name], why: "" } })) said.value = words.done.back;
  };
  return (
    <section class="card inventory" aria-busy={busy || undefined}>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {words.variables}
        </h2>
        <Segments<Filter>
          label={words.filter}
          options={{
            open: words.filters.open(counts.open),
            delicate: words.filters.delicate(counts.delicate),
            all: words.filters.all(counts.all),
          }}
          value={filter}
          onChange={setFilter}
        />
      </header>
      <Figures
        figures={(["all", "open", "barred"] as const)
          .filter((each) => each !== "barred" || counts.barred > 0)
          .map((each) => ({ name: words.facts[each], value: count(counts[each]) }))}
      />
      <Telling rows={found.telling} />
      {counts.open === 0 && <Notice tone="good">{words.decided}</Notice>}
      {found.variables.length > MANY && (
        <input
          type="search"
          class="find"
          aria-label={texts.open.filter}
          placeholder={texts.open.filter}
          value={sought}
          onInput={(event) => setSought(event.currentTarget.value)}
        />
      )}
      <DecideForm
        marked={marked}
        why={why}
        input={reason}
        onWhy={setWhy}
        onDecide={(way) => void decide(way, marked)}
        onClear={() => setMarks(new Set())}
      />
      {shown.length ? (
        <InventoryTable
          variables={shown}
          marks={marks}
          onMark={setMarks}
          onChoose={choose}
          onTakeBack={(variable) => void takeBack(variable)}
        />
      ) : (
        <p class="hint">{words.none[filter]}</p>
      )}
      <p class="hint">{words.steps}</p>
    </section>
  );
}

/** Take a decision; tells whether all of it was done. */
async function take(way: Decision, variables: readonly VariableProfile[], why: string): Promise<boolean> {
  if (way === "keep") {
    const names = variables.map((each) => each.name);
    return change("PUT /api/keep", { body: { variables: names, why: why.trim() } });
  }
  if (way === "key") {
    const names = variables.map((each) => each.name);
    return change("PUT /api/scenario", () => {
      const first = study.value!.scenarios[0]!;
      return { body: { ...first, keys: [...first.keys, ...names] } };
    });
  }
  for (const step of stepsFor(way, variables, study.value!.scenarios, reasonFor(variables, why))) {
    if (!(await change("POST /api/steps", { body: step }))) return false;
  }
  return true;
}
