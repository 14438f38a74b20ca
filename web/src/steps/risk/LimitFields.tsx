import { computed, type ReadonlySignal } from "@preact/signals";
import { useState } from "preact/hooks";
import { approximate, curve, limit, meaning, moves, setTarget } from "../../choice";
import { chosen, readTarget, type Target } from "../../limit";
import { count, figure, odds, percent, plain, ratePercent } from "../../numbers";
import { Field } from "../../parts/Field";
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
  const [fault, setFault] = useState<string | null>(null);
  const choose = (text: string) => {
    if (text === shown[by].peek()) return;
    const value = readTarget(by, text);
    setFault(value === null ? words.faults[by] : null);
    if (value === null || !curve.value) return;
    // At once from the curve, then exactly from the server.
    moves.move(chosen(curve.value, by, value).limit);
    void setTarget(by, value);
  };
  return (
    <Field label={words[by]} fault={fault}>
      {(wiring) => (
        <span class="with-unit">
          <input
            {...wiring}
            type="text"
            inputMode="decimal"
            autocomplete="off"
            value={shown[by]}
            onChange={(event) => choose(event.currentTarget.value)}
          />
          <span class="hint">{beside[by]}</span>
        </span>
      )}
    </Field>
  );
}
