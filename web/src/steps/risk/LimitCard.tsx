import { computed } from "@preact/signals";
import { useState } from "preact/hooks";
import type { RiskFigures } from "../../api";
import { BinTable } from "../../charts/BinTable";
import { Legend } from "../../charts/Legend";
import { Picture, type Shape } from "../../charts/Picture";
import { approximate, curve, limit, meaning, moves, settling, unsafeHouseholds } from "../../choice";
import { count, odds, percent, plain } from "../../numbers";
import { Card } from "../../parts/Page";
import { Segments } from "../../parts/Segments";
import { texts } from "../../texts";
import { exactness, LimitFields } from "./LimitFields";

const words = texts.risk;

const spoken = computed(() => {
  const { unsafe } = meaning.value;
  const share = percent(unsafe / (curve.value?.records || 1));
  return words.meaning(plain(limit.value), odds(limit.value), count(unsafe), share);
});

/** The picture, the limit in it, and what it means in four linked fields. */
export function LimitCard({ found }: { found: RiskFigures }) {
  const [shape, setShape] = useState<Shape>("histogram");
  const drawn = curve.value;
  if (!drawn) return null;
  return (
    <Card
      class="limit-card lead"
      title={words.picture}
      aside={
        <Segments<Shape>
          label={texts.picture.shape.label}
          options={texts.picture.shape.options}
          value={shape}
          onChange={setShape}
        />
      }
    >
      <div class="columns wide-left">
        <div class="stack">
          <Picture curve={drawn} shape={shape} limit={limit} meaning={spoken} moves={moves} />
          <Legend />
          <p class="hint">{texts.picture.keys}</p>
          <p class="hint" aria-busy={settling}>
            {exactness}
          </p>
        </div>
        <div class="stack">
          <Share households={found.household?.households ?? null} />
          <LimitFields />
        </div>
      </div>
      <details>
        <summary>{texts.asTable}</summary>
        <BinTable caption={words.picture} curves={[{ name: texts.picture.table.records, curve: drawn }]} />
      </details>
    </Card>
  );
}

const share = computed(
  () => `${approximate.value ? "≈ " : ""}${percent(meaning.value.unsafe / (curve.value?.records || 1))}`,
);

/** The one figure that moves with the limit, large. */
function Share({ households }: { households: number | null }) {
  const below = computed(() => {
    if (households === null || unsafeHouseholds.value === null) return "";
    const sign = approximate.value ? "≈ " : "";
    return words.households(sign + count(unsafeHouseholds.value), count(households));
  });
  return (
    <div class="share">
      <strong>{share}</strong> <span>{words.above}</span>
      <span class="hint">{below}</span>
    </div>
  );
}
