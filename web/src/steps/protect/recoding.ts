/** Recodes while they are being edited. */

import type { Category, Recode, StepInput, VariableDetail } from "../../api";

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
export function equalBreaks(detail: VariableDetail, width: number): number[] {
  const missing = new Set(detail.missing_codes.map((each) => each.code));
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
  categories: readonly Category[],
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
  for (const [code, members] of Object.entries(step.groups)) {
    if (members.some((each) => typeof each === "object")) return null;
    found.push({ code, label: step.labels[code] ?? "", members: members.map(String) });
  }
  return found;
}
