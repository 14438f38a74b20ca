import { openHelp, type Topic } from "../help";
import { texts } from "../texts";

/** The question mark of a card or page: opens the drawer at what it is about. */
export function HelpMark({ topic, about }: { topic: Topic; about: string }) {
  return (
    <button type="button" class="help-mark" aria-label={texts.help.title} aria-describedby={about} onClick={() => openHelp(topic)}>
      <span aria-hidden="true">?</span>
    </button>
  );
}
