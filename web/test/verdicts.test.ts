import { describe, expect, it } from "vitest";
import type { Verdict } from "../src/api";
import { RULES } from "../src/steps/release/PolicyForm";
import { isCalmOnly, meaningOf, nameOf, noteOf } from "../src/steps/release/verdicts";

const made = (part: Partial<Verdict>): Verdict => ({
  rule: "record_risk",
  scenario: "main",
  limit: 0.01,
  value: 0.02,
  met: false,
  reason: "",
  note: "",
  ...part,
});

describe("verdicts", () => {
  it("have a name and a sentence for every rule", () => {
    for (const rule of [...RULES, "inventory", "estimator", "gaps"]) {
      expect(nameOf(rule)).not.toBe(rule);
      expect(meaningOf(rule)).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("say what rests on gaps in the words of the page", () => {
    const note = "record_risk, expected would not be met if missing keys were weighed";
    expect(noteOf(made({ rule: "gaps", note }))).toBe(
      "Would not be met if missing keys were weighed: Largest risk of a record, Largest expected number of re-identifications.",
    );
    expect(noteOf(made({ rule: "inventory", note: "NAME, PNR" }))).toBe("Not decided on: NAME, PNR.");
    expect(noteOf(made({ rule: "tau1", note: "The model gives no estimate." }))).toMatch(/no estimate/);
    expect(noteOf(made({}))).toBe("");
  });

  it("reconcile a calm file with records that are not safe", () => {
    const calm = made({ rule: "tau1_share", met: true });
    expect(isCalmOnly([calm, made({})])).toBe(true);
    expect(isCalmOnly([calm, made({ met: true })])).toBe(false);
    expect(isCalmOnly([made({ rule: "tau1_share" }), made({})])).toBe(false);
  });
});
