import type { ComponentChildren } from "preact";
import { openHelp } from "../help";
import { texts, type Word } from "../texts";

/** A word that can be looked up where it stands. */
export function Term({ name, children }: { name: Word; children?: ComponentChildren }) {
  return (
    <button type="button" class="term" data-help={`word:${name}`} onClick={() => openHelp(`word:${name}`)}>
      {children ?? texts.glossary.words[name][0]}
      <span class="hidden"> ({texts.glossary.what})</span>
    </button>
  );
}
