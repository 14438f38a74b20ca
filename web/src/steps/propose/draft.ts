/** What is asked of a proposal while it is being edited. */

import { signal } from "@preact/signals";
import type { KeyLadder, LadderRung, ProposalFigures, ProposeRequest, StudySummary } from "../../api";
import { recordLimits, usualLimit, type Limit } from "../../limits";
import { fileKey } from "../../state";
import type { Rule } from "../release/PolicyForm";

/** Rules that a search can see to, the usual ones first. */
export const USUAL = ["record_risk", "household_risk", "k"] as const satisfies readonly Rule[];
export const MORE = [
  "rate",
  "expected",
  "household_rate",
  "expected_households",
  "tau1",
  "tau1_share",
  "tau2",
] as const satisfies readonly Rule[];

type Ladders = Readonly<Record<string, readonly unknown[]>>;

export interface Draft {
  /** Rules that were changed; the others are those of the policy. Null is no rule. */
  readonly rules: Readonly<Partial<Record<Rule, Limit | null>>>;
  /** Null is the usual share. */
  readonly touched: number | null;
  readonly spare: readonly string[];
  /** Weights of keys that were changed here; the others are those of the uses that matter. */
  readonly utility: Readonly<Record<string, number>>;
  readonly guarantee: ProposeRequest["guarantee"];
  readonly seconds: number;
  /** Rungs of the keys whose ladder was edited. */
  readonly ladders: Ladders;
}

export const START: Draft = {
  rules: {},
  touched: null,
  spare: [],
  utility: {},
  guarantee: null,
  seconds: 30,
  ladders: {},
};

/** Kept while the user looks elsewhere, for one file. */
const drafts = signal<{ readonly file: string; readonly draft: Draft }>({ file: "", draft: START });

export const draft = {
  get value(): Draft {
    return drafts.value.file === fileKey.value ? drafts.value.draft : START;
  },
  get untouched(): boolean {
    return drafts.value.file !== fileKey.value;
  },
  put(part: Partial<Draft>): void {
    drafts.value = { file: fileKey.value, draft: { ...draft.value, ...part } };
  },
};

/** The proposal in hand, as the server last told of it, and the point that is open. */
export const proposal = signal<ProposalFigures | null>(null);
export const opened = signal<number | null>(null);

/** The rules in force: what was typed, or else the chosen limit and the policy. */
export function rulesOf({ rules }: Draft, now: StudySummary): Partial<Record<Rule, Limit>> {
  const households = now.scenarios.some((each) => each.household);
  const found: Partial<Record<Rule, Limit>> = {};
  for (const rule of [...USUAL, ...MORE]) {
    if (rule.includes("household") && !households) continue;
    const typed = rules[rule];
    const value = typed === undefined ? preset(rule, now) : typed;
    if (value !== null) found[rule] = value;
  }
  return found;
}

function preset(rule: (typeof USUAL)[number] | (typeof MORE)[number], now: StudySummary): Limit | null {
  const asked = now.policy[rule];
  if (rule === "record_risk") return recordLimits(now) ?? asked ?? usualLimit(now);
  // Households have one limit in a search.
  return rule === "household_risk" && typeof asked !== "number" ? now.household_limit : asked;
}

/** How much a key matters by the uses of the study. */
export function weightOf(key: string, now: StudySummary): number {
  return now.uses?.variables?.[key] ?? now.uses?.others ?? 1;
}

/** What is asked of the server; of keys that are there still. */
export function requestOf(wish: Draft, now: StudySummary, keys: readonly KeyLadder[]): ProposeRequest {
  const open = keys.filter((each) => !each.counted).map((each) => each.key);
  const spare = wish.spare.filter((key) => open.includes(key));
  const matter = Object.entries(wish.utility).filter(([key, weight]) => open.includes(key) && weight !== weightOf(key, now));
  const ladders = Object.entries(wish.ladders).filter(([key]) => open.includes(key) && !spare.includes(key));
  return {
    rules: rulesOf(wish, now) as Record<string, Limit>,
    touched: wish.touched,
    spare,
    utility: Object.fromEntries(matter),
    guarantee: wish.guarantee,
    seconds: wish.seconds,
    ladders: Object.fromEntries(ladders),
  };
}

/** The draft that led to a request, so that a page that was loaded again goes on with it. */
export function draftOf(asked: ProposeRequest): Draft {
  const rules = Object.fromEntries([...USUAL, ...MORE].map((rule) => [rule, asked.rules[rule] ?? null]));
  return { ...asked, rules };
}

/** The ladders with that of a key changed; one that is as suggested is not edited. */
export function withLadder(
  ladders: Ladders,
  { key, rungs }: KeyLadder,
  sources: readonly unknown[] | null,
): Ladders {
  const { [key]: _, ...others } = ladders;
  const same = sources?.length === rungs.length && rungs.every((each) => sources.includes(each.source));
  return sources === null || same ? others : { ...others, [key]: sources };
}

/** The rungs of a ladder with one of them allowed or not. */
export function toggled(
  sources: readonly unknown[] | undefined,
  rungs: readonly LadderRung[],
  source: unknown,
): unknown[] {
  const now = sources ?? rungs.map((each) => each.source);
  return now.includes(source) ? now.filter((each) => each !== source) : [...now, source];
}

/** Widths of bins from a text, each a multiple of the one before; null if they are none. */
export function readWidths(text: string): number[] | null {
  const widths = text.split(/[,;\s]+/).filter(Boolean).map(Number);
  if (!widths.length || !widths.every((each) => Number.isFinite(each) && each > 0)) return null;
  const right = widths.every((each, i) => {
    const times = i ? each / widths[i - 1]! : 2;
    return times > 1 && Math.abs(times - Math.round(times)) < 1e-9;
  });
  return right ? widths : null;
}
