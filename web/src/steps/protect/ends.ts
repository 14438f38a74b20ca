/** Top and bottom coding while it is being edited. */

import type { BottomCode, TopCode } from "../../api";

export interface EndDraft {
  readonly end: "top_code" | "bottom_code";
  readonly by: "limit" | "share";
  readonly bound: number | null;
  /** In per cent of the population. */
  readonly share: number | null;
  /** What coded values become: one class with a code, or a number. */
  readonly becomes: "class" | "mean" | "median" | "limit";
  readonly strata: readonly string[];
  readonly least: number | null;
  readonly code: string;
  readonly label: string;
}

export const NO_END: EndDraft = {
  end: "top_code",
  by: "limit",
  bound: null,
  share: null,
  becomes: "class",
  strata: [],
  least: null,
  code: "",
  label: "",
};

/** Whether coded values become one class; a share is always one of numbers. */
export function isClass(draft: EndDraft): boolean {
  return draft.by === "limit" && draft.becomes === "class";
}

/** The step that a draft amounts to; null as long as something is lacking. */
export function endStep(variable: string, draft: EndDraft): Omit<TopCode, "why"> | Omit<BottomCode, "why"> | null {
  const given = draft.by === "limit" ? draft.bound : draft.share;
  if (given === null || !variable) return null;
  const whole = isClass(draft);
  return {
    do: draft.end,
    variable,
    limit: draft.by === "limit" ? given : null,
    share: draft.by === "share" ? given / 100 : null,
    replace: whole ? null : draft.becomes === "class" ? "mean" : draft.becomes,
    strata: whole ? [] : draft.strata,
    least: whole ? null : draft.least,
    code: whole ? draft.code.trim() || null : null,
    label: whole ? draft.label.trim() : "",
  };
}
