/** Recodes while they are being edited. */

import type { CategoryCount, Recode, StepInput, VariableProfile } from "../../api";

export interface Group {
  readonly code: string;
  readonly label: string;
  readonly members: readonly string[];
}

/** Rising numbers from a text, or null. */
export function readBreaks(text: string): number[] | null {
  const parts = text.split(/[,;\s]+/).filter(Boolean);
  const numbers = parts.map(Number);
  if (!numbers.length || numbers.some((each) => !Number.isFinite(each))) return null;
  return numbers.every((each, i) => !i || each > numbers[i - 1]!) ? numbers : null;
}

/** Bounds of equal width over the numbers of a variable. */
export function equalBreaks(detail: VariableProfile, width: number): number[] {
  const missing = new Set(detail.missing_codes);
  const codes = detail.categories.filter((each) => !missing.has(each.code)).map((each) => Number(each.code));
  const numbers = [...codes.filter(Number.isFinite), ...detail.bins.flatMap((bin) => [bin.low, bin.high])];
  if (!numbers.length) return [];
  const low = Math.floor(Math.min(...numbers) / width) * width;
  const high = Math.max(...numbers);
  const found: number[] = [];
  for (let bound = low; bound <= high && found.length < 200; bound += width) found.push(bound);
  return found;
}

/** The groups with the marked categories put into one; those they were in lose them. */
export function merged(
  groups: readonly Group[],
  marked: ReadonlySet<string>,
  categories: readonly CategoryCount[],
): Group[] {
  const members = categories.map((each) => each.code).filter((code) => marked.has(code));
  const labels = categories.filter((each) => marked.has(each.code) && each.label).map((each) => each.label);
  const kept = groups
    .map((group) => ({ ...group, members: group.members.filter((code) => !marked.has(code)) }))
    .filter((group) => group.members.length > 1);
  return [...kept, { code: members[0]!, label: labels.join(" or "), members }];
}

/** The group a category is in. */
export function groupOf(groups: readonly Group[], code: string): Group | undefined {
  return groups.find((group) => group.members.includes(code));
}

/** A recode as it is typed: texts are read once they are complete. */
export interface RecodeDraft {
  readonly how: "bands" | "groups" | "keep" | "classification";
  readonly breaks: readonly number[] | null;
  /** Codes of the bands, separated by commas; usual ones if empty. */
  readonly names: string;
  readonly groups: readonly Group[];
  /** Code for all that is not named in groups or classification. */
  readonly other: string;
  readonly keep: number | null;
  /** A line for each code: the code, its parent, the parent of that. */
  readonly parents: string;
  readonly level: number | null;
  /** A line for each new code: the code, then its label. */
  readonly labels: string;
  /** New missing codes, separated by commas; the old ones if empty. */
  readonly missing: string;
}

export const NO_RECODE: Omit<RecodeDraft, "how"> = {
  breaks: null,
  names: "",
  groups: [],
  other: "",
  keep: null,
  parents: "",
  level: null,
  labels: "",
  missing: "",
};

/** The step that a draft amounts to; null as long as something is lacking. */
export function recodeStep(variable: string, draft: RecodeDraft): Omit<Recode, "why"> | null {
  const bare = {
    do: "recode",
    variable,
    groups: null,
    other: null,
    breaks: null,
    names: [],
    keep: null,
    classification: null,
    level: null,
    labels: readLabels(draft.labels),
    missing: draft.missing.trim() ? listed(draft.missing) : null,
  } as const;
  switch (draft.how) {
    case "bands":
      return draft.breaks && { ...bare, breaks: draft.breaks, names: listed(draft.names) };
    case "groups": {
      const made = groupsStep(variable, draft.groups) as Pick<Recode, "groups" | "labels"> | null;
      return made && { ...bare, ...made, labels: { ...bare.labels, ...made.labels }, other: draft.other.trim() || null };
    }
    case "keep":
      return draft.keep === null ? null : { ...bare, keep: draft.keep };
    case "classification": {
      const classification = readParents(draft.parents);
      if (!classification) return null;
      return { ...bare, classification, level: draft.level, other: draft.other.trim() || null };
    }
  }
}

function listed(text: string): string[] {
  return text.trim() ? text.split(/[,;]/).map((each) => each.trim()) : [];
}

/** Labels by code from lines of "code, label", as a spreadsheet has them too. */
export function readLabels(text: string): Record<string, string> {
  const rows = text.split("\n").map((line) => /^\s*([^,;=\t]+?)\s*[,;=\t]\s*(.+?)\s*$/.exec(line));
  return Object.fromEntries(rows.flatMap((row) => (row ? [[row[1]!, row[2]!]] : [])));
}

/** Parents by code, one table for each level, from lines of "code, parent, its parent"; null if they are none. */
export function readParents(text: string): Record<string, string>[] | null {
  const rows = text
    .split("\n")
    .filter((line) => line.trim())
    .map((line) => line.split(/[,;\t]/).map((each) => each.trim()));
  const depth = rows[0]?.length ?? 0;
  if (depth < 2 || rows.some((row) => row.length !== depth || row.some((each) => !each))) return null;
  const levels: Record<string, string>[] = Array.from({ length: depth - 1 }, () => ({}));
  for (const row of rows) {
    for (const [i, level] of levels.entries()) {
      if ((level[row[i]!] ?? row[i + 1]) !== row[i + 1]) return null; // two parents
      level[row[i]!] = row[i + 1]!;
    }
  }
  return levels;
}

export function groupsStep(variable: string, groups: readonly Group[]): StepInput | null {
  const named = groups.filter((group) => group.code.trim());
  if (!named.length || named.length < groups.length) return null;
  const codes = new Set(named.map((group) => group.code.trim()));
  if (codes.size < named.length) return null;
  return {
    do: "recode",
    variable,
    groups: Object.fromEntries(named.map((group) => [group.code.trim(), group.members])),
    labels: Object.fromEntries(
      named.filter((group) => group.label.trim()).map((group) => [group.code.trim(), group.label.trim()]),
    ),
  };
}

/** The groups of a step that names single codes only; null if it has ranges or other ways. */
export function groupsOf(step: Recode): Group[] | null {
  if (!step.groups || step.other !== null) return null;
  const found: Group[] = [];
  for (const [code, given] of Object.entries(step.groups)) {
    const members = Array.isArray(given) ? given : [given];
    if (members.some((each) => typeof each === "object")) return null;
    found.push({ code, label: step.labels[code] ?? "", members: members.map(String) });
  }
  return found;
}
