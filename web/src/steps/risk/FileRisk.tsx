import { computed, useComputed } from "@preact/signals";
import { useAnswer } from "../../answer";
import type { FileRiskFigures as Found } from "../../api";
import { approximate, meaning } from "../../choice";
import { count, figure, modelled, percent } from "../../numbers";
import { Term } from "../../parts/Glossary";
import { Notice } from "../../parts/Notice";
import { Card, Figures } from "../../parts/Page";
import { Waiting } from "../../parts/Waiting";
import { texts } from "../../texts";

const words = texts.risk.fileRisk;

/** The file as a whole, by a model, with its band; nothing where the server offers none. */
export function FileRisk({ scenario, perturbed }: { scenario: string; perturbed: string }) {
  const answer = useAnswer("GET /api/file-risk", { scenario });
  if (answer.refusal?.status === 404) return null;
  return (
    <Card title={<Term name="fileRisk">{words.title}</Term>}>
      {perturbed && <p class="hint">{words.before(perturbed)}</p>}
      <Waiting answer={answer}>{(found) => <Shown found={found} />}</Waiting>
    </Card>
  );
}

const tones = { "very low": "good", low: "good", moderate: "warn", high: "bad" } as const;

const unsafe = computed(() => meaning.value.unsafe > 0);

/** How a calm file goes with records above the limit. */
function Reconciled({ level }: { level: string }) {
  const sentence = useComputed(() => {
    const above = meaning.value.unsafe;
    const sign = approximate.value ? "≈ " : "";
    return words.calm(level, `${sign}${count(above)} ${words.above[above === 1 ? 0 : 1]}`);
  });
  if (!unsafe.value) return <p class="hint">{words.average}</p>;
  return (
    <Notice tone="warn">
      <>{sentence}</>
    </Notice>
  );
}

function Shown({ found }: { found: Found }) {
  const band = (ends: readonly [number, number] | undefined) =>
    ends ? words.band(modelled(ends[0]), modelled(ends[1])) : words.noBand;
  return (
    <>
      <p>
        <span class={`badge ${tones[found.level]}`}>{found.level}</span> {percent(found.share_unique)}{" "}
        {words.share}
      </p>
      {tones[found.level] === "good" && <Reconciled level={found.level} />}
      <Figures
        figures={[
          { name: words.tau1, value: modelled(found.tau1), note: band(found.interval?.tau1) },
          { name: words.tau2, value: modelled(found.tau2), note: band(found.interval?.tau2) },
          { name: words.cellSize, value: figure(found.average_cell_size, 3) },
        ]}
      />
      {found.notices.map((text) => (
        <Notice key={text} tone="warn" children={text} />
      ))}
      <p class="hint">
        {words.model}: {found.model}
      </p>
    </>
  );
}
