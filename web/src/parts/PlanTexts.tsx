import { useRef, useState } from "preact/hooks";
import { useAnswer } from "../answer";
import { download } from "../download";
import { said, study } from "../state";
import { texts } from "../texts";
import { Button } from "./Button";
import { Segments } from "./Segments";
import { Waiting } from "./Waiting";

const words = texts.plans;
type Which = keyof typeof words.texts;
const FILES: Record<Which, string> = { plan: "plan.toml", script: "plan.py", commands: "plan.sh" };

/** The plan, and the same job as a script and as commands: to read, to copy, to download. */
export function PlanTexts() {
  const { policy, keep, keep_order, cover, uses, proposed } = study.value!;
  const also = JSON.stringify([policy, keep, keep_order, cover, uses, proposed]);
  const answer = useAnswer("GET /api/plan", null, true, also);
  const [which, setWhich] = useState<Which>("plan");
  const shown = useRef<HTMLPreElement>(null);
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = words.copied;
    } catch {
      getSelection()?.selectAllChildren(shown.current!); // to be copied by hand
    }
  };
  return (
    <>
      <Segments<Which> label={words.textsLabel} options={words.texts} value={which} onChange={setWhich} />
      <p class="hint">{words.hints[which]}</p>
      <Waiting answer={answer}>
        {(found) => (
          <>
            <pre ref={shown} tabIndex={0} aria-label={words.texts[which]}>
              {found[which]}
            </pre>
            <div class="buttons">
              <Button small onClick={() => void copy(found[which])}>
                {words.copy}
              </Button>
              <Button small onClick={() => download(FILES[which], found[which])}>
                {words.download}
              </Button>
            </div>
          </>
        )}
      </Waiting>
    </>
  );
}
