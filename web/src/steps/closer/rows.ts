/** Rows of counts by dimension: their order, and how many fit a screen. */

import type { CodeRow, KeyRow, KeyValue } from "../../api";

/** By what rows are sorted: their name, their records, one of the dimensions, or all of these. */
export type Column = "name" | "records" | "all" | number;

export interface Sorting {
  readonly by: Column;
  readonly down: boolean;
}

interface Row {
  readonly counts: readonly number[];
  readonly records?: number;
}

export function sumOf(row: Row): number {
  return row.counts.reduce((sum, each) => sum + each, 0);
}

/** Rows in order; equal ones stay as they were. */
export function sorted<T extends Row>(rows: readonly T[], { by, down }: Sorting, nameOf: (row: T) => string): T[] {
  const names = new Intl.Collator("en", { numeric: true });
  const value = (row: T) => (by === "all" ? sumOf(row) : by === "records" ? (row.records ?? 0) : row.counts[by as number]!);
  const order = (a: T, b: T) => (by === "name" ? names.compare(nameOf(a), nameOf(b)) : value(a) - value(b));
  return [...rows].sort((a, b) => (down ? -order(a, b) : order(a, b)));
}

/** The order after a head was pressed: counts start with the largest, names with the first. */
export function turned(now: Sorting, by: Column): Sorting {
  return now.by === by ? { by, down: !now.down } : { by, down: by !== "name" };
}

export function keyName({ key }: Pick<KeyRow, "key">): string {
  return key;
}

export function codeName({ value }: Pick<CodeRow, "value">): string {
  return value.code ?? "\uffff"; // missing comes last
}

/** A code with its label, as text. */
export function saidCode({ code, label }: KeyValue, missing: string): string {
  return code === null ? missing : label ? `${code} ${label}` : code;
}

/** Identification levels as the server takes them. */
export function levelsOf(levels: Readonly<Record<string, number>>, keys: readonly string[]): string[] {
  return keys.filter((key) => levels[key]).map((key) => `${key}=${levels[key]}`);
}

/** Interactions that somebody typed, such as "age*sex, region*age". */
export function interactionsOf(text: string): string[] {
  return text
    .split(",")
    .map((each) => each.replace(/\s*[*×]\s*/g, "*").trim())
    .filter((each) => each !== "");
}
