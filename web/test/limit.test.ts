import { describe, expect, it } from "vitest";
import { chosen, countUpTo, curveOf, exactAt, limitAt, readTarget, type Curve } from "../src/limit";

/** Curve of the risks of single records. */
function curve(risks: number[]): Curve {
  const rising = [...risks].sort((a, b) => a - b);
  const distinct = [...new Set(rising)];
  const upTo = distinct.map((r) => rising.filter((each) => each <= r).length);
  const sums = distinct.map((r) => rising.filter((each) => each <= r).reduce((a, b) => a + b, 0));
  return curveOf(distinct, upTo, sums, true);
}

/** Bound by its definition, record by record. */
function bound(risks: number[], limit: number): number {
  return risks.reduce((sum, r) => sum + Math.min(r, limit), 0);
}

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const risks = [0.001, 0.001, 0.002, 0.01, 0.01, 0.05, 0.3];

describe("a limit", () => {
  it("counts the records above it, not those at it", () => {
    expect(limitAt(curve(risks), 0.01).unsafe).toBe(2);
    expect(limitAt(curve(risks), 0.0099).unsafe).toBe(4);
    expect(limitAt(curve(risks), 0.00001).unsafe).toBe(7);
    expect(limitAt(curve(risks), 1).unsafe).toBe(0);
  });

  it("bounds the expected re-identifications after protection", () => {
    for (const limit of [0.0005, 0.001, 0.005, 0.01, 0.2, 1]) {
      const at = limitAt(curve(risks), limit);
      expect(at.expected).toBeCloseTo(bound(risks, limit), 12);
      expect(at.rate).toBeCloseTo(bound(risks, limit) / risks.length, 12);
    }
  });
});

describe("the four linked fields", () => {
  it("agree with a search through all observed risks", () => {
    const next = random(7);
    for (let trial = 0; trial < 60; trial++) {
      const file = Array.from(
        { length: 1 + Math.floor(next() * 40) },
        () => Number((next() ** 3).toPrecision(1)) || 0.001,
      );
      const of = curve(file);
      const tolerable = next() * file.length;
      const fitting = file.filter((r) => bound(file, r) <= tolerable + 1e-12);
      const found = chosen(of, "expected", tolerable);
      if (fitting.length) expect(found.limit).toBe(Math.max(...fitting));
      else expect(found.unsafe).toBe(file.length);

      const most = Math.floor(next() * file.length);
      const enough = file.filter((r) => file.filter((each) => each > r).length <= most);
      expect(chosen(of, "unsafe", most).limit).toBe(Math.min(...enough));
    }
  });

  it("take a rate as a share of the records", () => {
    const of = curve(risks);
    expect(chosen(of, "rate", 0.01).limit).toBe(chosen(of, "expected", 0.07).limit);
    expect(chosen(of, "risk", 0.02).limit).toBe(0.02);
  });

  it("go below all risks when nothing observed is tolerable", () => {
    const found = chosen(curve(risks), "expected", 0.00007);
    expect(found.unsafe).toBe(7);
    expect(found.limit).toBeCloseTo(0.00001, 12);
  });
});

describe("what is typed", () => {
  it("is a number, a percentage or odds", () => {
    expect(readTarget("risk", "0.01")).toBe(0.01);
    expect(readTarget("risk", "1 in 200")).toBe(0.005);
    expect(readTarget("rate", "0.2 %")).toBe(0.002);
    expect(readTarget("unsafe", "1,234")).toBe(1234);
    expect(readTarget("expected", "≈ 12.5")).toBe(12.5);
  });

  it("is refused when it means nothing", () => {
    for (const text of ["", "%", "abc", "-1", "Infinity", "1 in 0"]) {
      expect(readTarget("risk", text)).toBeNull();
    }
    expect(readTarget("risk", "1.5")).toBeNull();
    expect(readTarget("expected", "1.5")).toBe(1.5);
  });
});

it("knows where a thinned curve is exact", () => {
  const thinned = curveOf([0.0012, 0.03], [5, 9], [0.006, 0.126], false);
  expect([0.01, 0.0012, 0.03, 0.5].map((each) => exactAt(thinned, each))).toEqual([true, true, true, true]);
  expect([0.011, 0.0013, 0.029].map((each) => exactAt(thinned, each))).toEqual([false, false, false]);
  expect(exactAt({ ...thinned, exact: true }, 0.011)).toBe(true);
});

it("searches like bisect_right", () => {
  const values = Float64Array.from([1, 2, 2, 3]);
  expect([0, 1, 2, 2.5, 3, 9].map((v) => countUpTo(values, v))).toEqual([0, 1, 3, 3, 4, 4]);
});
