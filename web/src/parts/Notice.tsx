import type { ComponentChildren } from "preact";
import { texts } from "../texts";

export type Tone = "info" | "warn" | "bad" | "good";

const signs: Record<Tone, string> = { info: "i", warn: "!", bad: "✕", good: "✓" };

interface Props {
  tone: Tone;
  title?: ComponentChildren;
  children?: ComponentChildren;
  /** Said aloud when it appears. */
  live?: boolean;
}

/** A sentence to notice: a sign, a word for those who hear, and what to do. */
export function Notice({ tone, title, children, live }: Props) {
  return (
    <div class={`notice ${tone}`} role={live ? (tone === "bad" ? "alert" : "status") : undefined}>
      <span class="sign" aria-hidden="true">
        {signs[tone]}
      </span>
      <div>
        <span class="hidden">{texts.tones[tone]}: </span>
        {title && <strong>{title}</strong>} {children}
      </div>
    </div>
  );
}
