import { describe, expect, it } from "vitest";
import { binned, edgesOf, exceedance } from "../src/histogram";
import { curveOf } from "../src/limit";
import { count, figure, fixed, odds, percent, plain, ratePercent, readNumber, signed } from "../src/numbers";
import { countTicks, leapt, logScale, nudged, ticks } from "../src/scale";

const curve = curveOf([0.001, 0.01, 0.1], [50, 80, 100], [0.05, 0.35, 2.35], true);
const edges = edgesOf(0.001, 0.1);
const domain = { low: edges[0]!, high: edges.at(-1)! };

describe("the pictures", () => {
  it("hold every record once", () => {
    const bins = binned(curve, edges);
    expect(bins.reduce((sum, bin) => sum + bin.records, 0)).toBe(100);
    expect(bins.length).toBeGreaterThan(36);
    expect(bins.length).toBeLessThan(90);
  });

  it("have edges where a thinned curve is exact", () => {
    for (const [low, high] of [
      [1e-7, 1],
      [0.01, 0.5],
      [0.02, 0.021],
      [0.1, 0.1],
    ] as const) {
      const found = edgesOf(low, high);
      expect(found[0]).toBeLessThan(low);
      expect(found.at(-1)).toBeGreaterThan(high);
      for (const edge of found) {
        const place = 200 * Math.log10(edge);
        expect(Math.abs(place - Math.round(place))).toBeLessThan(1e-6);
      }
    }
  });

  it("fall from all records to none", () => {
    const points = exceedance(curve, domain);
    expect(points[0]!.above).toBe(100);
    expect(points.at(-1)!.above).toBe(0);
    expect(points.every((p, i) => !i || p.above <= points[i - 1]!.above)).toBe(true);
    expect(points.length).toBeLessThan(10);
  });
});

describe("the axis", () => {
  it("goes there and back", () => {
    const scale = logScale(domain, 600);
    for (const value of [0.0012, 0.01, 0.09]) {
      expect(scale.value(scale.place(value))).toBeCloseTo(value, 12);
    }
    expect(scale.place(1e-9)).toBe(0);
    expect(scale.place(1)).toBe(600);
  });

  it("has ticks at powers of ten, and more where those are few", () => {
    expect(ticks({ low: 0.00005, high: 1 })).toEqual([0.0001, 0.001, 0.01, 0.1, 1]);
    expect(ticks({ low: 0.009, high: 0.06 })).toEqual([0.01, 0.02, 0.05]);
  });

  it("counts in round steps that reach above the highest bar", () => {
    expect(countTicks(930)).toEqual([0, 200, 400, 600, 800, 1000]);
    expect(countTicks(3)).toEqual([0, 1, 2, 3]);
    for (const largest of [1, 7, 23, 1e4, 1234567]) {
      expect(countTicks(largest).at(-1)).toBeGreaterThanOrEqual(largest);
    }
  });
});

describe("keys on the limit", () => {
  it("move by the second digit", () => {
    expect(nudged(0.01, 1)).toBe(0.011);
    expect(nudged(0.01, -1)).toBe(0.0099);
    expect(nudged(0.0099, 1)).toBe(0.01);
    expect(nudged(0.0123, 1)).toBe(0.013);
    expect(nudged(0.0123, -1)).toBe(0.012);
  });

  it("always move, and come back", () => {
    for (let value = 0.00011; value < 0.9; value = nudged(value, 1)) {
      const next = nudged(value, 1);
      expect(next).toBeGreaterThan(value);
      expect(nudged(next, -1)).toBe(value);
    }
  });

  it("leap by 1, 2, 5", () => {
    expect([leapt(0.01, 1), leapt(0.013, 1), leapt(0.05, 1)]).toEqual([0.02, 0.02, 0.1]);
    expect([leapt(0.01, -1), leapt(0.013, -1), leapt(0.2, -1)]).toEqual([0.005, 0.01, 0.1]);
  });
});

describe("numbers", () => {
  it("are read as people type them", () => {
    expect(["-5", "1,234", "≈ 12.5", "50 %", "1 in 200"].map(readNumber)).toEqual([-5, 1234, 12.5, 0.5, 0.005]);
    expect(["", "%", "abc", "1 in", "1 in 0", "Infinity"].map(readNumber)).toEqual(Array(6).fill(null));
  });

  it("are read without an exponent", () => {
    expect([count(1234567), figure(0.000123456), figure(12345.67), plain(0.00001)]).toEqual([
      "1,234,567",
      "0.0001235",
      "12,345.7",
      "0.00001",
    ]);
  });

  it("never make something look like nothing", () => {
    expect(percent(0.0000001)).toBe("under 0.1 %");
    expect(percent(0.99999)).toBe("over 99.9 %");
    expect(percent(0)).toBe("0.0 %");
    expect(ratePercent(0.0012345)).toBe("0.123 %");
  });

  it("have the same decimals in a column", () => {
    expect([0, 0.0000076, 0.0372, 1].map((value) => fixed(value, 4))).toEqual([
      "0.0000", "under 0.0001", "0.0372", "1.0000",
    ]);
  });

  it("say odds and changes", () => {
    expect([odds(0.01), odds(0.4), odds(0)]).toEqual(["1 in 100", "1 in 2.5", "none"]);
    expect([odds(1), odds(0.995)]).toEqual(["1 in 1", "nearly 1 in 1"]);
    expect([signed(5), signed(-1200), signed(0)]).toEqual(["+5", "−1,200", "no change"]);
  });
});
