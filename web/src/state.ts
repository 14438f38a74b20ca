/** What the page knows: the study as the server sees it, where the user is, and work under way. */

import { computed, signal } from "@preact/signals";
import type { Api, Problem, StudySummary } from "./api";
import { ask, Refusal, type Question, type Route } from "./client";
import { texts } from "./texts";

export const STEPS = ["open", "variables", "scenario", "risk", "propose", "protect", "inventory", "compare", "release"] as const;
/** Places that are no steps: gone to at any time. */
export const TOOLS = ["explore", "closer"] as const;
export type StepName = (typeof STEPS)[number] | (typeof TOOLS)[number];

export const study = signal<StudySummary | null>(null);
export const at = signal<StepName>("open");
/** What went wrong, and the step at which it can be put right, if that is another. */
export const problem = signal<(Problem & { readonly at?: StepName }) | null>(null);
export const said = signal("");

/** The scenario that pictures are about. */
export const scenarioName = signal("main");

export const fileKey = computed(() => `${study.value?.file?.sha256 ?? ""} ${study.value?.file?.metadata ?? ""}`);

/** What measurements depend on; the limit is not part of it. */
export const dataKey = computed(() => {
  const now = study.value;
  return JSON.stringify([now?.file?.sha256, now?.file?.metadata, now?.scenarios, now?.steps.map((each) => [each.step, each.draw])]);
});

/** What decisions depend on besides: reasons to keep variables. */
export const decisionsKey = computed(() => JSON.stringify([dataKey.value, study.value?.keep]));

/** The decisions that left nothing open, as far as is known. */
export const decided = signal("");

/** Why a step of the rail cannot be gone to yet; null if it can. */
export function blocked(step: StepName, now: StudySummary | null): string | null {
  if (step === "open") return null;
  if (!now?.file) return texts.rail.blocked.scenario;
  if (step === "variables" || step === "scenario" || step === "explore") return null;
  if (!now.scenarios.length) return texts.rail.blocked.risk;
  if (step === "compare" && !now.steps.length && !now.plans.length) return texts.rail.blocked.compare;
  return null;
}

/** Whether what a step of the rail asks for was done. */
export function done(step: StepName, now: StudySummary | null): boolean {
  if (!now?.file) return false;
  switch (step) {
    case "open":
      return true;
    case "variables":
      return now.file.declared > 0;
    case "scenario":
      return now.scenarios.length > 0;
    case "risk":
      return now.limit !== null;
    case "closer":
      return false; // to look is nobody's duty
    case "propose":
      return now.proposed;
    case "protect":
      return now.steps.length > 0;
    case "inventory":
      return decided.value === decisionsKey.value;
    case "compare":
      return now.steps.length > 0 && now.confirmed === now.steps.length;
    case "release":
      return released.value !== null;
    case "explore":
      return false;
  }
}

export function go(step: StepName): void {
  at.value = step;
  problem.value = null;
  typed = false;
  if (step !== "scenario") scenarioName.value = knownScenario(study.value, scenarioName.value);
}

/** What Explore looks at: a variable, and another one if any. */
export const explored = signal({ variable: "", against: "" });

/** What Look closer shows; kept while the user looks elsewhere. */
export const look = signal<keyof typeof texts.closer.tabs>("combinations");

export function lookAt(what: keyof typeof texts.closer.tabs): void {
  look.value = what;
  go("closer");
}

/** The variable that Recode begins with, once Protect is gone to. */
export const toRecode = signal("");

/** A candidate to be shown beside the present steps, once Compare is gone to. */
export const toCompare = signal<string | null>(null);

/** What was written last, as long as nothing changed since. */
export const released = signal<Api["POST /api/release"]["answer"] | null>(null);

export interface Work {
  readonly stage: string;
  readonly fraction: number;
  cancel(): void;
  /** End a search with what it has found until now. */
  enough?: () => void;
}

/** Work that was asked for and that everything else waits for. */
export const work = signal<Work | null>(null);
/** Whether there is such work, from its first moment on. */
export const busy = computed(() => work.value !== null);

/** What that is, and whether it went well in the end. */
let running: { readonly what: string; readonly done: Promise<boolean> } | null = null;
let begun = 0;

/** A question, or how it is made: what builds on the study is made when its turn has come. */
type Asked<R extends Route> = Question<R> | (() => Question<R>);

/**
 * Do something that changes the study, showing progress with a way to cancel.
 *
 * What is asked for meanwhile waits, and is dropped if the work before it does not end well; a
 * refusal that was expected is no bad end. The same once more is taken for a second click.
 *
 * Returns the answer, or null if it was refused or cancelled; the reason is then on the page.
 */
export async function act<R extends Route>(
  route: R,
  given: Asked<R>,
  refused?: (refusal: Refusal) => boolean,
): Promise<Api[R]["answer"] | null> {
  const making = typeof given === "function" ? given : () => given;
  const what = JSON.stringify([route, making(), seen]); // once another window's work is known, it is no longer the same
  while (running) {
    if (running.what === what || !(await running.done)) return null;
  }
  let finish: (well: boolean) => void = () => {};
  begun += 1;
  running = { what, done: new Promise((resolve) => (finish = resolve)) };
  let well = false;
  const stop = new AbortController();
  const cancel = () => {
    said.value = texts.job.cancelling;
    stop.abort();
  };
  work.value = { stage: "", fraction: 0, cancel };
  problem.value = null;
  try {
    const answer = await ask(route, {
      ...making(),
      ...(route.startsWith("GET ") ? {} : { seen }),
      signal: stop.signal,
      progress: (stage, fraction, job) => {
        const enough = () => void ask("POST /api/cancel", { body: { job, keep: true } });
        work.value = { stage, fraction, cancel, ...(SEARCHES.includes(route) ? { enough } : {}) };
      },
    });
    well = true;
    noteRevision(answer);
    return answer;
  } catch (error) {
    well = await refuse(error, refused);
    return null;
  } finally {
    work.value = null;
    running = null;
    finish(well);
  }
}

/** Say why something was refused; tells whether who asked for it expected that. */
async function refuse(error: unknown, refused?: (refusal: Refusal) => boolean): Promise<boolean> {
  if (!(error instanceof Refusal)) throw error;
  if (refused?.(error)) return true;
  if (error.status === OUTDATED) return lookAgain(error.problem);
  if (error.stopped) said.value = texts.job.cancelled;
  else problem.value = error.problem;
  return false;
}

const OUTDATED = 412;
/** Work that has something to show before it is done. */
const SEARCHES: readonly Route[] = ["POST /api/propose", "POST /api/guide"];

/** Look at what another window did; tells whether that was known, so that what was asked for since goes on. */
async function lookAgain(refused: Problem): Promise<boolean> {
  const found = await ask("GET /api/study", {});
  const known = found.revision === seen;
  if (known) problem.value = refused;
  else meetOther(found, refused);
  return known;
}

type Writing = { [R in Route]: Api[R]["answer"] extends StudySummary ? R : never }[Route];

/** Do something that answers with the changed study; tells whether it was done. */
export async function change<R extends Writing>(route: R, given: Asked<R>): Promise<boolean> {
  const answer = await act(route, given);
  if (answer) {
    typed = false;
    take(answer as StudySummary);
  }
  return answer !== null;
}

/** The study as another window left it, while this one has something typed that it would replace. */
export const otherStudy = signal<StudySummary | null>(null);

/** Revision that this window knows of: what it asks for is refused if there is a later one. */
let seen: number | undefined;

/** Whether something was typed here that is not applied yet. */
let typed = false;

export function noteTyping(event: Event): void {
  const field = event.target as HTMLInputElement;
  if (field.type !== "search" && field.closest("main")) typed = true;
}

function noteRevision(answer: unknown): void {
  const { revision } = answer as { revision?: unknown };
  if (typeof revision === "number") seen = revision;
}

/** Whether this window knows of a later state of the study: an older look may come in later. */
export function isOlder(found: StudySummary): boolean {
  return seen !== undefined && found.revision < seen;
}

/** Keys of what another window left behind: answers about them may already be about what it did. */
export const leftBehind = signal<readonly string[]>([]);

/** Take over what another window did, unless something typed here would be lost by it. */
export function meetOther(found: StudySummary, refused: Problem | null = null): void {
  if (isOlder(found) || found.revision === seen) return;
  if (typed) {
    otherStudy.value = found;
    return;
  }
  const before = [fileKey.peek(), dataKey.peek()];
  take(found);
  leftBehind.value = before.filter((each) => each.trim() && each !== fileKey.peek() && each !== dataKey.peek());
  if (blocked(at.peek(), found)) go("open");
  problem.value = refused;
  said.value = texts.other.taken;
}

/** How often what was typed here went; forms that keep what was typed begin anew with it. */
export const dropped = signal(0);

/** What was typed here goes; the study is shown as the other window left it. */
export function showOther(): void {
  const found = otherStudy.value;
  typed = false;
  dropped.value += 1;
  if (found) meetOther(found);
}

/** What was typed here stays, and may be applied to the study as the other window left it. */
export function keepTyped(): void {
  seen = otherStudy.value?.revision;
  otherStudy.value = null;
}

/** Whether work is under way, whose answer tells more than any look. */
export function atWork(): boolean {
  return running !== null;
}

/** A number that stays the same while no work is done; null while some is. */
export function idle(): number | null {
  return running ? null : begun;
}

type Held = (found: StudySummary) => StudySummary;
const held = new Map<string, Held>();

/** Put something into the study that the server has yet to hear of, and into its answers until it has (null). */
export function hold(what: string, put: Held | null): void {
  if (!put) {
    held.delete(what);
    return;
  }
  held.set(what, put);
  if (study.value) study.value = put(study.value);
}

export function take(answer: StudySummary): void {
  seen = answer.revision;
  otherStudy.value = null;
  const before = dataKey.peek();
  study.value = [...held.values()].reduce((found, put) => put(found), answer);
  if (dataKey.peek() !== before) released.value = null;
  scenarioName.value = knownScenario(answer, scenarioName.peek());
}

/** The name if there is such a scenario, or else that of the first. */
function knownScenario(now: StudySummary | null, name: string): string {
  const names = now?.scenarios.map((each) => each.name) ?? [];
  return names.includes(name) ? name : (names[0] ?? "main");
}

export async function refresh(): Promise<void> {
  take(await ask("GET /api/study", {}));
}
