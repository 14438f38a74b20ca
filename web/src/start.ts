/** What happens when the page is opened. */

import { Refusal } from "./client";
import { act, at, go, problem, refresh, study, type StepName } from "./state";

/** Look at the study, wait for a file that is being opened, and go to where the work is. */
export async function start(): Promise<void> {
  try {
    await refresh();
    if (!study.value?.file && (await opening())) await refresh();
    if (at.value === "open") go(whereTo());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    problem.value = error.problem;
  }
}

const NO_FILE = 409;

/** Wait for the file named on the command line; tells whether there is one. */
async function opening(): Promise<boolean> {
  return (await act("GET /api/variables", {}, (refusal) => refusal.status === NO_FILE)) !== null;
}

function whereTo(): StepName {
  const now = study.value;
  if (!now?.file || now.saved || !now.scenarios.length) return "open";
  return now.steps.length > now.confirmed ? "compare" : now.steps.length ? "protect" : "risk";
}
