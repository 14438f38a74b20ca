/** What the page knows: the study as the server sees it, where the user is, and work under way. */

import { computed, signal } from "@preact/signals";
import type { Api, Problem, StudySummary } from "./api";
import { ask, Refusal, type Question, type Route } from "./client";
import { texts, type Word } from "./texts";

export const STEPS = ["open", "scenario", "risk", "protect", "inventory", "compare", "release"] as const;
export type StepName = (typeof STEPS)[number];

export const study = signal<StudySummary | null>(null);
export const at = signal<StepName>("open");
/** What went wrong, and the step at which it can be put right, if that is another. */
export const problem = signal<(Problem & { readonly at?: StepName }) | null>(null);
export const said = signal("");
export const word = signal<Word | "all" | null>(null);

/** The scenario that pictures are about. */
export const scenarioName = signal("main");

export const fileKey = computed(() => study.value?.file?.sha256 ?? "");

/** What measurements depend on; the limit is not part of it. */
export const dataKey = computed(() => {
  const now = study.value;
  return JSON.stringify([now?.file?.sha256, now?.scenarios, now?.steps.map((each) => [each.step, each.draw])]);
});

/** What decisions depend on besides: reasons to keep variables. */
export const decisionsKey = computed(() => JSON.stringify([dataKey.value, study.value?.keep]));

/** The decisions that left nothing open, as far as is known. */
export const decided = signal("");

/** Why a step of the rail cannot be gone to yet; null if it can. */
export function blocked(step: StepName, now: StudySummary | null): string | null {
  if (step === "open") return null;
  if (!now?.file) return texts.rail.blocked.scenario;
  if (step === "scenario") return null;
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
    case "scenario":
      return now.scenarios.length > 0;
    case "risk":
      return now.limit !== null;
    case "protect":
      return now.steps.length > 0;
    case "inventory":
      return decided.value === decisionsKey.value;
    case "compare":
      return now.steps.length > 0 && now.confirmed === now.steps.length;
    case "release":
      return released.value !== null;
  }
}

export function go(step: StepName): void {
  at.value = step;
  problem.value = null;
  if (step !== "scenario") scenarioName.value = knownScenario(study.value, scenarioName.value);
}

/** What was written last, as long as nothing changed since. */
export const released = signal<Api["POST /api/release"]["answer"] | null>(null);

export interface Work {
  readonly stage: string;
  readonly fraction: number;
  cancel(): void;
}

/** Work that was asked for and that everything else waits for. */
export const work = signal<Work | null>(null);

/** What that is, and whether it went well in the end. */
let running: { readonly what: string; readonly done: Promise<boolean> } | null = null;

/**
 * Do something that changes the study, showing progress with a way to cancel.
 *
 * What is asked for meanwhile waits, and is dropped if the work before it does not end well; the
 * same once more is taken for a second click.
 *
 * Returns the answer, or null if it was refused or cancelled; the reason is then on the page.
 */
export async function act<R extends Route>(
  route: R,
  question: Question<R>,
  refused?: (refusal: Refusal) => boolean,
): Promise<Api[R]["answer"] | null> {
  const what = JSON.stringify([route, question]);
  while (running) {
    if (running.what === what || !(await running.done)) return null;
  }
  let finish: (well: boolean) => void = () => {};
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
      ...question,
      signal: stop.signal,
      progress: (stage, fraction) => (work.value = { stage, fraction, cancel }),
    });
    well = true;
    return answer;
  } catch (error) {
    await refuse(error, refused);
    return null;
  } finally {
    work.value = null;
    running = null;
    finish(well);
  }
}

async function refuse(error: unknown, refused?: (refusal: Refusal) => boolean): Promise<void> {
  if (!(error instanceof Refusal)) throw error;
  if (refused?.(error)) return;
  if (error.stopped) said.value = texts.job.cancelled;
  else problem.value = error.problem;
  if (error.status === 412) await refresh();
}

type Writing = { [R in Route]: Api[R]["answer"] extends StudySummary ? R : never }[Route];

/** Do something that answers with the changed study; tells whether it was done. */
export async function change<R extends Writing>(route: R, question: Question<R>): Promise<boolean> {
  const answer = await act(route, question);
  if (answer) take(answer as StudySummary);
  return answer !== null;
}

export function take(answer: StudySummary): void {
  const before = dataKey.peek();
  study.value = answer;
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
