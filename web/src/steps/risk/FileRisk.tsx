import { useAnswer } from "../../answer";
import type { FileRiskFigures as Found } from "../../api";
import { figure, percent } from "../../numbers";
import { Term } from "../../parts/Glossary";
import { Notice } from "../../parts/Notice";
import { Card, Figures } from "../../parts/Page";
import { Waiting } from "../../parts/Waiting";
import { texts } from "../../texts";

const words = texts.risk.fileRisk;

/** The file as a whole, by a model, with its band; nothing where the server offers none. */
export function FileRisk({ scenario }: { scenario: string }) {
  const answer = useAnswer("GET /api/file-risk", { scenario });
  if (answer.refusal?.status === 404) return null;
  return (
    <Card title={<Term name="fileRisk">{words.title}</Term>}>
      <Waiting answer={answer}>{(found) => <Shown found={found} />}</Waiting>
    </Card>
  );
}

const tones = { "very low": "good", low: "good", moderate: "warn", high: "bad" } as const;

function Shown({ found }: { found: Found }) {
  const band = (ends: readonly [number, number] | undefined) =>
    ends ? words.band(figure(ends[0], 3), figure(ends[1], 3)) : words.noBand;
  return (
    <>
      <p>
        <span class={`badge ${tones[found.level]}`}>{found.level}</span> {percent(found.share_unique)}{" "}
        {words.share}
      </p>
      {tones[found.level] === "good" && <p class="hint">{words.average}</p>}
      <Figures
        figures={[
          { name: words.tau1, value: figure(found.tau1, 3), note: band(found.interval?.tau1) },
          { name: words.tau2, value: figure(found.tau2, 3), note: band(found.interval?.tau2) },
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
