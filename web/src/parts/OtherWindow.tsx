import { keepTyped, otherStudy, showOther } from "../state";
import { texts } from "../texts";
import { Button } from "./Button";
import { Notice } from "./Notice";

const words = texts.other;

/** Says that another window changed the study, while something is typed here. */
export function OtherWindow() {
  if (!otherStudy.value) return null;
  return (
    <Notice tone="warn" title={words.title} live>
      {words.text}{" "}
      <span class="buttons">
        <Button small onClick={keepTyped}>
          {words.keep}
        </Button>
        <Button small onClick={showOther}>
          {words.show}
        </Button>
        <span class="hint">({words.showHint})</span>
      </span>
    </Notice>
  );
}
