import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { word } from "../state";
import { texts, type Word } from "../texts";
import { Dialog } from "./Dialog";

/** A word that can be looked up where it stands. */
export function Term({ name, children }: { name: Word; children?: ComponentChildren }) {
  return (
    <button type="button" class="term" onClick={() => (word.value = name)}>
      {children ?? texts.glossary.words[name][0]}
      <span class="hidden"> ({texts.glossary.what})</span>
    </button>
  );
}

/** All words, at the one that was asked for. */
export function Glossary() {
  const list = useRef<HTMLDListElement>(null);
  const sought = word.value;
  useEffect(() => {
    list.current?.querySelector(".sought")?.scrollIntoView({ block: "start" });
  }, [sought]);
  if (!sought) return null;
  const names = Object.keys(texts.glossary.words) as Word[];
  const sorted = names.sort((a, b) => texts.glossary.words[a][0].localeCompare(texts.glossary.words[b][0]));
  return (
    <Dialog title={texts.glossary.title} onClose={() => (word.value = null)}>
      <dl class="glossary" ref={list}>
        {sorted.map((name) => (
          <div key={name} class={name === sought ? "sought" : ""}>
            <dt>{texts.glossary.words[name][0]}</dt>
            <dd>{texts.glossary.words[name][1]}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
