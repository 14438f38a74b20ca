import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useAnswer } from "../answer";
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

/** All words, at the one that was asked for; those of steps are told by the steps. */
export function Glossary() {
  const list = useRef<HTMLDListElement>(null);
  const sought = word.value;
  const steps = useAnswer("GET /api/steps", null, sought !== null).value;
  useEffect(() => {
    list.current?.querySelector(".sought")?.scrollIntoView({ block: "start" });
  }, [sought, steps]);
  if (!sought) return null;
  const entries = [
    ...Object.entries(texts.glossary.words),
    ...(steps?.kinds ?? []).map(({ do: name, term, meaning }) => [name, [capital(term), meaning]] as const),
  ];
  const sorted = entries.sort(([, [a]], [, [b]]) => a.localeCompare(b));
  return (
    <Dialog title={texts.glossary.title} onClose={() => (word.value = null)}>
      <dl class="glossary" ref={list}>
        {sorted.map(([name, [title, meaning]]) => (
          <div key={name} class={name === sought ? "sought" : ""}>
            <dt>{title}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
