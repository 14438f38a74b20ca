/** Numbers as people read them. */

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

/** A count with thousands separators. */
export function count(value: number): string {
  return whole.format(value);
}

/** A number with as many digits as a reader needs. */
export function figure(value: number, digits = 4): string {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return "∞";
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return count(value);
  if (Math.abs(value) >= 1000) return grouped(value.toFixed(1));
  return plain(value, digits);
}

function grouped(text: string): string {
  const [before, after] = text.split(".");
  return `${count(Number(before))}.${after}`;
}

/** A number of few digits without an exponent as long as that is readable. */
export function plain(value: number, digits = 4): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const short = Number(value.toPrecision(digits));
  if (size < 1e-9 || size >= 1e15) return short.toExponential();
  return short.toLocaleString("en-GB", { maximumSignificantDigits: digits, useGrouping: true });
}

/** A number with so many decimals; what is not nothing never looks like nothing. */
export function fixed(value: number, decimals: number): string {
  const least = 10 ** -decimals;
  return value > 0 && value < least / 2 ? `under ${least.toFixed(decimals)}` : value.toFixed(decimals);
}

/** A share in per cent; what is not nothing never looks like nothing. */
export function percent(share: number, digits = 1): string {
  if (Number.isNaN(share)) return "–";
  const least = 10 ** -digits;
  if (share > 0 && 100 * share < least / 2) return `under ${least.toFixed(digits)} %`;
  if (share < 1 && 100 * share > 100 - least / 2) return `over ${(100 - least).toFixed(digits)} %`;
  return `${(100 * share).toFixed(digits)} %`;
}

/** A share in per cent with so many significant digits, for small rates. */
export function ratePercent(share: number, digits = 3): string {
  return `${plain(100 * share, digits)} %`;
}

/** What a model expects; far below one person it is not worth its digits. */
export function modelled(value: number, digits = 3): string {
  return value > 0 && value < 0.01 ? "under 0.01" : figure(value, digits);
}

/** A risk as odds: 1 in so many. */
export function odds(risk: number): string {
  if (!(risk > 0)) return "none";
  const people = 1 / risk;
  const many = people < 10 ? plain(people, 2) : count(Math.round(people));
  return `${many === "1" && risk < 1 ? "nearly " : ""}1 in ${many}`;
}

/** A change with its sign. */
export function signed(value: number, show: (value: number) => string = count): string {
  if (value === 0) return "no change";
  return `${value > 0 ? "+" : "−"}${show(Math.abs(value))}`;
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** The number that a text is, also as `1 %` or `1 in 100`; null if it is none. */
export function readNumber(text: string): number | null {
  const bare = text.replace(/[\s,'’≈]/g, "");
  const odds = /^(\d+)in([\d.]+)$/i.exec(bare);
  // Moving the point in the text is exact; a division by 100 is not.
  const value = odds ? Number(odds[1]) / Number(odds[2]) : Number(bare.replace(/%$/, "e-2"));
  return bare !== "" && Number.isFinite(value) ? value : null;
}

const units = ["bytes", "kB", "MB", "GB", "TB"];

/** A size in the largest unit that keeps it above 1. */
export function size(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(bytes || 1) / 3)));
  return `${plain(bytes / 1000 ** power, 3)} ${units[power]}`;
}
