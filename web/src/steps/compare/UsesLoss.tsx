import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { Uses, LossByUses } from "../../api";
import { percent, plain } from "../../numbers";
import { BarTable } from "../../parts/BarTable";
import { Button } from "../../parts/Button";
import { Card, Figures } from "../../parts/Page";
import { NumberInput } from "../../parts/NumberInput";
import { Waiting } from "../../parts/Waiting";
import { texts } from "../../texts";
import { keepUses } from "./Naming";
import { weightsOf, withWeights } from "./naming";

const words = texts.uses.loss;

/** The loss by what matters, the plain one beside it, and how much each use counts. */
export function UsesLoss({ uses, to }: { uses: Uses; to: number }) {
  const answer = useAnswer("GET /api/compare/uses", { to }, true, JSON.stringify(uses));
  return (
    <Card title={words.title}>
      <Waiting answer={answer}>{(found) => <Shown found={found} />}</Waiting>
      <details>
        <summary>{words.weights}</summary>
        <Weights key={JSON.stringify(uses)} uses={uses} />
      </details>
    </Card>
  );
}

function Shown({ found }: { found: LossByUses }) {
  return (
    <>
      <Figures
        figures={[
          { name: words.byUses, value: percent(found.loss) },
          { name: words.plain, value: percent(found.plain) },
        ]}
      />
      <BarTable
        caption={words.title}
        quiet
        heads={words.heads}
        full={1}
        rows={found.parts.map((each) => ({
          name: (
            <>
              <code>{each.name}</code> {each.note && <span class="under">{each.note}</span>}
            </>
          ),
          value: each.loss,
          shown: words.kinds[each.kind],
          more: [plain(each.weight), percent(each.loss)],
        }))}
      />
      <p class="hint">{words.meaning}</p>
    </>
  );
}

function Weights({ uses }: { uses: Uses }) {
  const [weights, setWeights] = useState(weightsOf(uses));
  return (
    <div class="stack">
      <div class="limit-fields">
        {Object.entries(weights).map(([name, weight]) => (
          <NumberInput
            key={name}
            label={<code>{name}</code>}
            value={weight}
            min={0.01}
            max={1000}
            onChange={(value) => setWeights({ ...weights, [name]: value })}
          />
        ))}
      </div>
      <div class="buttons">
        <Button onClick={() => void keepUses((before) => withWeights(before, weights), words.saved)}>{words.save}</Button>
      </div>
    </div>
  );
}
