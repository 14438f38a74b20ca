/** Shapes of numbers before and after: bins of equal width on an axis whose ticks are given. */

/** An outline over the tops of bars, as one path. */
export function outlinePath(shares: readonly number[], width: number, height: (share: number) => number, bottom: number) {
  const step = width / shares.length;
  const tops = shares.map((share, i) => {
    const top = (bottom - height(share)).toFixed(1);
    return `V${top}H${((i + 1) * step).toFixed(1)}`;
  });
  return `M0 ${bottom}${tops.join("")}V${bottom}`;
}

/** Filled bars as one path; a bar that is not empty is at least a pixel high. */
export function sharesPath(shares: readonly number[], width: number, height: (share: number) => number, bottom: number) {
  const step = width / shares.length;
  return shares
    .map((share, i) => {
      if (!(share > 0)) return "";
      const tall = Math.max(1, height(share)).toFixed(1);
      return `M${(i * step).toFixed(1)} ${bottom}v-${tall}h${Math.max(1, step - 1).toFixed(1)}V${bottom}z`;
    })
    .join("");
}

/** Round shares up to the largest, for an axis. */
export function shareTicks(largest: number, wanted = 4): number[] {
  if (!(largest > 0)) return [0, 1];
  const rough = largest / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((each) => each * power >= rough * (1 - 1e-9))! * power;
  const count = Math.ceil(largest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}

/** How dark each of some counts is, from 0 to 1: by logarithm, so that few records can be seen. */
export function shade(count: number, largest: number): number {
  return count > 0 ? 0.15 + (0.85 * Math.log(count)) / Math.max(Math.log(largest), Math.log(2)) : 0;
}

/** Share of the records that stay in their bin. */
export function stayShare(counts: readonly (readonly number[])[]): number {
  let all = 0;
  let same = 0;
  counts.forEach((row, i) =>
    row.forEach((count, j) => {
      all += count;
      if (i === j) same += count;
    }),
  );
  return all ? same / all : 1;
}

/** Ticks that have room for their text, from the first on. */
export function roomyTicks<T extends { readonly at: number }>(ticks: readonly T[], bins: number, width: number, room: number): T[] {
  const shown: T[] = [];
  for (const tick of ticks) {
    const last = shown.at(-1);
    if (!last || ((tick.at - last.at) * width) / bins >= room) shown.push(tick);
  }
  return shown;
}
