/** Verdicts in words. */

import { FORMS, INTRUDER_RULES, type FormEntry, type Verdict } from "../../api";
import { texts } from "../../texts";

const words = texts.release.verdicts;

export function nameOf(rule: string): string {
  const names: Readonly<Record<string, string>> = { ...INTRUDER_RULES, ...texts.release.rules };
  const policy: Readonly<Record<string, FormEntry>> = FORMS.policy;
  return names[rule] ?? policy[rule]?.label ?? rule;
}

/** What a rule asks. */
export function meaningOf(rule: string): string {
  const means: Readonly<Record<string, string>> = texts.release.means;
  return means[rule] ?? "";
}

/** What the server notes on a verdict, in the words of the page. */
export function noteOf({ rule, note }: Verdict): string {
  if (!note) return "";
  if (rule === "inventory") return words.undecided(note);
  if (rule === "gaps") return words.restsOnGaps(note.split(" would ")[0]!.split(", ").map(nameOf).join(", "));
  return note;
}

const OF_FILE: readonly string[] = ["tau1", "tau1_share", "tau2"];
const OF_RECORDS: readonly string[] = ["record_risk", "household_risk", "k"];

/** Whether a calm file stands beside records that are not safe, which asks for a sentence. */
export function isCalmOnly(verdicts: readonly Verdict[]): boolean {
  const has = (rules: readonly string[], met: boolean) =>
    verdicts.some((each) => rules.includes(each.rule) && each.met === met);
  return has(OF_FILE, true) && has(OF_RECORDS, false);
}
