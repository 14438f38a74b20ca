import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { StepKind } from "../../api";
import { Segments } from "../../parts/Segments";
import { Waiting } from "../../parts/Waiting";
import { texts } from "../../texts";
import { otherKinds, perturbingKinds } from "./forms";
import { StepForm } from "./StepForm";

/** Every kind of step that has no tab of its own. */
export function More() {
  return <Kinds label={texts.protect.ways.more} choose={otherKinds} />;
}

/** Kinds that change values at random, exchange or average them. */
export function Perturb() {
  return <Kinds label={texts.protect.ways.perturb} choose={perturbingKinds} />;
}

interface Props {
  label: string;
  choose(kinds: readonly StepKind[]): StepKind[];
}

function Kinds({ label, choose }: Props) {
  const answer = useAnswer("GET /api/steps", null);
  return <Waiting answer={answer}>{({ kinds }) => <Chosen label={label} kinds={choose(kinds)} />}</Waiting>;
}

function Chosen({ label, kinds }: { label: string; kinds: readonly StepKind[] }) {
  const [chosen, setChosen] = useState(kinds[0]!.do);
  const kind = kinds.find((each) => each.do === chosen) ?? kinds[0]!;
  return (
    <div class="stack">
      <div>
        <Segments
          label={label}
          options={Object.fromEntries(kinds.map((each) => [each.do, each.title]))}
          value={kind.do}
          onChange={setChosen}
        />
      </div>
      <StepForm key={kind.do} kind={kind} />
    </div>
  );
}
