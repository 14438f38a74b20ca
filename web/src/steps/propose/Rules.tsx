import { useLayoutEffect, useState } from "preact/hooks";
import { FORMS } from "../../api";
import { readNumber } from "../../numbers";
import type { Limit } from "../../limits";
import { ByScenario } from "../../parts/ByScenario";
import { Choices } from "../../parts/Choices";
import { Field } from "../../parts/Field";
import { Term } from "../../parts/Glossary";
import { NumberInput } from "../../parts/NumberInput";
import { choicesOf, OtherFields } from "../../parts/OptionFields";
import { Card } from "../../parts/Page";
import { study } from "../../state";
import { texts } from "../../texts";
import { bounds, type Rule } from "../release/PolicyForm";
import { draft, MORE, rulesOf, START, USUAL } from "./draft";

const words = texts.propose;
const form = FORMS.proposal;
/** What has a place of its own. */
const PLACED = ["touched", "spare", "ladders", "guarantee", "seconds"];

/** The rules that a plan must meet. */
export function Rules() {
  const now = study.value!;
  const households = now.scenarios.some((each) => each.household);
  const rules = rulesOf(draft.value, now);
  const [open] = useState(MORE.some((rule) => rule in rules)); // at first; then it is the reader's
  const put = (rule: Rule, value: Limit | null) => draft.put({ rules: { ...draft.value.rules, [rule]: value } });
  const fields = (names: readonly Rule[]) =>
    names
      .filter((rule) => households || !rule.includes("household"))
      .map((rule) => (
        <ByScenario
          key={rule}
          label={FORMS.policy[rule].label}
          scenarios={rule === "record_risk" ? now.scenarios.map((each) => each.name) : []}
          value={rules[rule] ?? null}
          {...bounds[rule]}
          optional
          onChange={(value) => put(rule, value)}
        />
      ));
  return (
    <Card title={<Term name="policy">{words.rules.title}</Term>}>
      <p class="hint">{words.rules.intro}</p>
      <div class="policy">{fields(USUAL)}</div>
      <details open={open}>
        <summary>{words.rules.more}</summary>
        <div class="policy">{fields(MORE)}</div>
      </details>
    </Card>
  );
}

/** How much may be blank, what blanks promise, and when to stop. */
export function Wishes() {
  const wish = draft.value;
  const [open] = useState(wish.guarantee !== START.guarantee || wish.seconds !== START.seconds);
  return (
    <Card title={words.wishes.title}>
      <Cap />
      <details open={open}>
        <summary>{words.wishes.more}</summary>
        <div class="stack">
          <Choices
            title={<Term name="guarantee">{form.guarantee.label}</Term>}
            options={{ "": words.wishes.usual, ...choicesOf(form.guarantee) }}
            value={wish.guarantee ?? ""}
            onChange={(guarantee) => draft.put({ guarantee: guarantee || null })}
          />
          <NumberInput
            label={form.seconds.label}
            hint={form.seconds.help}
            value={wish.seconds}
            min={1}
            max={86400}
            onChange={(seconds) => draft.put({ seconds })}
          />
          <OtherFields form="proposal" but={PLACED} values={wish} onChange={(part) => draft.put(part)} />
        </div>
      </details>
    </Card>
  );
}

/** The share of the records that may lose a value, said aloud as records. */
function Cap() {
  const { touched } = draft.value;
  const records = study.value!.file!.records;
  const [text, setText] = useState(shown(touched));
  const [fault, setFault] = useState<string | null>(null);
  useLayoutEffect(() => {
    if (shareOf(text) !== touched) setText(shown(touched));
    setFault(null);
  }, [touched]);
  const type = (typed: string) => {
    setText(typed);
    const share = shareOf(typed);
    const empty = typed.trim() === "";
    setFault(share === null && !empty ? texts.number(0, 100, false) : null);
    if (share !== null || empty) draft.put({ touched: share });
  };
  const most = Math.floor((touched ?? 0) * records + 1e-9);
  const cap =
    touched === null ? words.wishes.usualCap : touched < 1 ? words.wishes.cap(most, records) : words.wishes.noCap;
  return (
    <Field
      label={words.wishes.touched}
      hint={
        <>
          <strong>{cap}</strong> {words.wishes.why}
        </>
      }
      fault={fault}
    >
      {(wiring) => (
        <input
          {...wiring}
          type="text"
          inputMode="decimal"
          autocomplete="off"
          value={text}
          onInput={(event) => type(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

function shown(share: number | null): string {
  return share === null ? "" : String(Number((100 * share).toPrecision(12)));
}

/** A share from a number of per cent, with or without the sign. */
function shareOf(text: string): number | null {
  const value = readNumber(text.replace(/%\s*$/, ""));
  return value === null || value < 0 || value > 100 ? null : Number((value / 100).toPrecision(12));
}
