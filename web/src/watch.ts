/** Looks whether another window changed the study. */

import { follow, resting } from "./choice";
import { ask, Refusal } from "./client";
import { atWork, isOlder, meetOther, noteTyping, study } from "./state";

const EVERY = 2000; // milliseconds

/** Look now and then, while the page is to be seen; and once more when it is come back to. */
export function watchOthers(): void {
  document.addEventListener("input", noteTyping);
  document.addEventListener("visibilitychange", () => void look());
  window.addEventListener("focus", () => void look());
  setInterval(() => void look(), EVERY);
}

let looking = false;

async function look(): Promise<void> {
  if (looking || atWork() || !study.value || document.visibilityState !== "visible") return;
  looking = true;
  const before = resting();
  try {
    const found = await ask("GET /api/study", {});
    if (atWork() || isOlder(found)) return;
    meetOther(found);
    if (before !== null && resting() === before) follow(found);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error; // the app was closed, which the next question tells
  } finally {
    looking = false;
  }
}
