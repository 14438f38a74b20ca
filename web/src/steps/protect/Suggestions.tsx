import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { SuggestedStep, StepInput } from "../../api";
import { count, figure, percent } from "../../numbers";
import { Button } from "../../parts/Button";
import { Notice } from "../../parts/Notice";
import { Waiting } from "../../parts/Waiting";
import { scenarioName } from "../../state";
import { texts } from "../../texts";
import { usePreview } from "./preview";
import { PreviewPanel } from "./PreviewPanel";
import { Scroll } from "../../parts/Scroll";

const words = texts.protect.suggest;
const MOST = 8;

/** Recodes that are worth their loss, to look at and to apply. */
export function Suggestions() {
  const answer = useAnswer("GET /api/suggestions", { scenario: scenarioName.value, most: MOST });
  const [step, setStep] = useState<StepInput | null>(null);
  const preview = usePreview(step);
  return (
    <div class="stack">
      <p class="hint">{words.intro}</p>
      <Waiting answer={answer}>
        {({ suggestions, perturbed }) => (
          <>
            {perturbed && <Notice tone="info">{words.before(perturbed)}</Notice>}
            {suggestions.length ? (
              <Scroll label={texts.protect.ways.suggest}>
                <List suggestions={suggestions} chosen={step} choose={setStep} />
              </Scroll>
            ) : (
              <p>{words.none}</p>
            )}
          </>
        )}
      </Waiting>
      {step && <PreviewPanel step={step} preview={preview} onApplied={() => setStep(null)} />}
    </div>
  );
}

interface ListProps {
  suggestions: readonly SuggestedStep[];
  chosen: StepInput | null;
  choose(step: StepInput): void;
}

function List({ suggestions, chosen, choose }: ListProps) {
  const { heads } = words;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{heads.step}</th>
          <th scope="col" class="number">
            {heads.fall}
          </th>
          <th scope="col" class="number">
            {heads.lost}
          </th>
          <th scope="col" class="number">
            {heads.unsafe}
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {suggestions.map((each) => (
          <tr key={each.words} class={each.step === chosen ? "chosen" : ""}>
            <th scope="row">{each.words}</th>
            <td class="number">{figure(each.fall, 3)}</td>
            <td class="number">{percent(each.loss)}</td>
            <td class="number">{each.after.unsafe === null ? "–" : count(each.after.unsafe)}</td>
            <td class="number">
              <Button small more={each.words} onClick={() => choose(each.step)}>
                {words.try}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
