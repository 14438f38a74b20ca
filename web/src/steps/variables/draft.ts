/** What is said of a file while it is being edited. */

import { signal } from "@preact/signals";
import type { Declaration, FileMetadata, ReadingOptions } from "../../api";

export const NOTHING: Declaration = {
  type: null,
  label: null,
  missing: null,
  labels: {},
  order: [],
  decimals: null,
  unit: "",
  decimal: "",
  thousands: "",
  dates: "",
  role: null,
  level: null,
  cost: null,
  linked: [],
  household_level: null,
  identifying: null,
};

export type Said = Readonly<Record<string, Declaration>>;

export interface Draft {
  /** The state of the file that it was begun in. */
  readonly key: string;
  readonly reading: ReadingOptions;
  readonly said: Said;
}

/** What was edited last; it outlives a visit to another step. */
export const kept = signal<Draft | null>(null);

export function draftOf(key: string, found: FileMetadata): Draft {
  return kept.value?.key === key ? kept.value : { key, reading: found.reading, said: found.declarations };
}

/** The same with something else said of a variable; nothing is not kept. */
export function withSaid(said: Said, name: string, declaration: Declaration): Said {
  const { [name]: _, ...others } = said;
  return same(declaration, NOTHING) ? others : { ...others, [name]: declaration };
}

/** A declaration with another type, without what does not apply to it. */
export function withType(said: Declaration, type: Declaration["type"]): Declaration {
  const number = type === "number" || type === null;
  return {
    ...said,
    type,
    decimals: number ? said.decimals : null,
    decimal: number ? said.decimal : "",
    thousands: number ? said.thousands : "",
    unit: number ? said.unit : "",
    dates: type === "date" || type === null ? said.dates : "",
    order: type === "category" || type === null ? said.order : [],
  };
}

/** A declaration with another role, without what belongs to keys only. */
export function withRole(said: Declaration, role: Declaration["role"]): Declaration {
  const key = role === "key" || role === "geography";
  return { ...said, role, level: key ? said.level : null, cost: key ? said.cost : null, linked: key ? said.linked : [] };
}

/** Variables of which something else is said than before, and whether the reading differs. */
export function changesIn(draft: Draft, found: FileMetadata): { names: string[]; reading: boolean } {
  const names = new Set([...Object.keys(draft.said), ...Object.keys(found.declarations)]);
  return {
    names: [...names].filter((name) => !same(draft.said[name] ?? NOTHING, found.declarations[name] ?? NOTHING)),
    reading: !same(draft.reading, found.reading),
  };
}

/** Codes that a text lists; blanks around them are not part of them. */
export function codesIn(text: string): string[] {
  return [...new Set(text.split(/[,\n]/).map((each) => each.trim()).filter(Boolean))];
}

/** Missing codes with one more or one less; null once there are none, as the file has it. */
export function withMissing(
  said: Declaration,
  now: readonly (string | number)[],
  code: string,
  missing: boolean,
): Declaration {
  const others = now.map(String).filter((each) => each !== code);
  return { ...said, missing: missing ? [...others, code] : others };
}

/** Codes in the order that was said, the others after them: the server may have yet to hear of it. */
export function inOrder(order: readonly string[], codes: readonly string[]): string[] {
  return [...order.filter((code) => codes.includes(code)), ...codes.filter((code) => !order.includes(code))];
}

/** Codes with one moved up. */
export function movedUp(codes: readonly string[], code: string): string[] {
  const at = codes.indexOf(code);
  if (at < 1) return [...codes];
  return [...codes.slice(0, at - 1), code, codes[at - 1]!, ...codes.slice(at + 1)];
}

/** Whether two values of plain data are the same, whatever the order of their fields. */
export function same(one: unknown, other: unknown): boolean {
  return plainly(one) === plainly(other);
}

function plainly(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    each && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
