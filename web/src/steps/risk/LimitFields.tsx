import { computed, type ReadonlySignal } from "@preact/signals";
import { useState } from "preact/hooks";
import { aim, approximate, curve, limit, meaning } from "../../choice";
import { readTarget, type Target } from "../../limit";
import { count, figure, odds, percent, plain, ratePercent } from "../../numbers";
import { Field } from "../../parts/Field";
import { TextInput } from "../../parts/TextInput";
import { texts } from "../../texts";

const words = texts.risk.fields;

const about = computed(() => (approximate.value ? "≈ " : ""));

const shown: Record<Target, ReadonlySignal<string>> = {
  risk: computed(() => plain(limit.value, 6)),
  rate: computed(() => about.value + ratePercent(meaning.value.rate, 4)),
  expected: computed(() => about.value + figure(meaning.value.expected, 5)),
  unsafe: computed(() => about.value + count(meaning.value.unsafe)),
};

const beside: Record<Target, ReadonlySignal<string>> = {
  risk: computed(() => odds(limit.value)),
  rate: computed(() => words.after),
  expected: computed(() => words.after),
  unsafe: computed(() => percent(meaning.value.unsafe / (curve.value?.records || 1))),
};

/** Four ways to say where the limit is; changing one moves the other three. */
export function LimitFields() {
  return (
    <div class="limit-fields" role="group" aria-label={words.title}>
      <p class="hint">{words.intro}</p>
      {(["risk", "rate", "expected", "unsafe"] as const).map((each) => (
        <LimitField key={each} by={each} />
      ))}
    </div>
  );
}

/** Whether the figures are exact, in words. */
export const exactness = computed(() => (approximate.value ? texts.risk.approximate : texts.risk.exact));

function LimitField({ by }: { by: Target }) {
  /** What was entered and means nothing, as long as the limit is where it was. */
  const [odd, setOdd] = useState<{ readonly text: string; readonly instead: string } | null>(null);
  const now = shown[by].value;
  const wrong = odd?.instead === now ? odd : null;
  const choose = (text: string) => {
    const value = text === now ? null : readTarget(by, text);
    setOdd(text === now || value !== null ? null : { text, instead: now });
    if (value !== null) aim(by, value);
  };
  return (
    <Field label={words[by]} fault={wrong && words.faults[by]}>
      {(wiring) => (
        <span class="with-unit">
          <TextInput wiring={wiring} decimal value={wrong?.text ?? now} onChange={choose} />
          <span class="hint">{beside[by]}</span>
        </span>
      )}
    </Field>
  );
}
