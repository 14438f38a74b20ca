import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { StepKind } from "../../api";
import { Segments } from "../../parts/Segments";
import { Waiting } from "../../parts/Waiting";
import { texts } from "../../texts";
import { otherKinds } from "./forms";
import { StepForm } from "./StepForm";

/** Every kind of step that has no form of its own. */
export function More() {
  const answer = useAnswer("GET /api/steps", null);
  return <Waiting answer={answer}>{({ kinds }) => <Kinds kinds={otherKinds(kinds)} />}</Waiting>;
}

function Kinds({ kinds }: { kinds: readonly StepKind[] }) {
  const [chosen, setChosen] = useState(kinds[0]!.do);
  const kind = kinds.find((each) => each.do === chosen) ?? kinds[0]!;
  return (
    <div class="stack">
      <div>
        <Segments
          label={texts.protect.ways.more}
          options={Object.fromEntries(kinds.map((each) => [each.do, each.title]))}
          value={kind.do}
          onChange={setChosen}
        />
      </div>
      <StepForm key={kind.do} kind={kind} />
    </div>
  );
}
