/** Chances of categories to become others, and groups of them, as forms ask for them. */

/** Chances in the order of the categories, by row and column; null where none was understood. */
export type Grid = readonly (readonly (number | null)[])[];
export type Matrix = Readonly<Record<string, Readonly<Record<string, number>>>>;

const CLOSE = 1e-9;

/** Every category stays as it is. */
export function stay(size: number): Grid {
  return Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) => (i === j ? 1 : 0)));
}

/** Sum of a row; null if something in it is no chance. */
export function sumOf(row: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const each of row) {
    if (each === null || !(each >= 0 && each <= 1)) return null;
    sum += each;
  }
  return sum;
}

export function isWhole(row: readonly (number | null)[]): boolean {
  const sum = sumOf(row);
  return sum !== null && Math.abs(sum - 1) <= CLOSE;
}

/** The matrix as a step takes it; null as long as some row does not sum to 1. */
export function matrixOf(grid: Grid, codes: readonly string[]): Matrix | null {
  if (!grid.every(isWhole)) return null;
  const rowOf = (row: readonly (number | null)[]) =>
    Object.fromEntries(codes.flatMap((code, j) => (row[j] ? [[code, row[j]!]] : [])));
  return Object.fromEntries(codes.map((code, i) => [code, rowOf(grid[i]!)]));
}

/** A table as it comes from a spreadsheet, with or without codes; null if it does not fit. */
export function readPasted(text: string, codes: readonly string[]): Grid | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const mark = ["\t", ";", ","].find((each) => text.includes(each)) ?? /\s+/;
  const cells = lines.map((line) => (mark === "\t" ? line : line.trim()).split(mark).map((each) => each.trim()));
  const size = codes.length;
  const named = cells.length === size + 1;
  if (!named) {
    if (cells.length !== size || cells.some((row) => row.length !== size)) return null;
    return cells.map((row) => row.map((each) => readChance(each, mark !== ",")));
  }
  const heads = cells[0]!.slice(-size);
  const rows = new Map(cells.slice(1).map((row) => [row[0]!, row.slice(1)]));
  const known = codes.every((code) => heads.includes(code) && rows.get(code)?.length === size);
  if (!known) return null;
  return codes.map((code) =>
    codes.map((other) => readChance(rows.get(code)![heads.indexOf(other)]!, mark !== ",")),
  );
}

/** A chance as people write it; null if it is none. */
export function readChance(text: string, comma = true): number | null {
  const bare = comma ? text.trim().replace(",", ".") : text.trim();
  const value = bare === "" ? 0 : Number(bare.replace(/\s*%$/, "e-2"));
  return Number.isFinite(value) ? value : null;
}

/** Groups of categories by name, those with one member left out. */
export function groupsOf(places: Readonly<Record<string, string>>): string[][] {
  const names = [...new Set(Object.values(places))].filter((name) => name !== "").sort();
  const groups = names.map((name) => Object.keys(places).filter((code) => places[code] === name));
  return groups.filter((group) => group.length > 1);
}
