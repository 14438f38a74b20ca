/** Plans as files: what the dialog is open at, and what came of a plan that was opened. */

import { signal } from "@preact/signals";
import type { Place } from "./parts/Browser";
import { act, go, said, take } from "./state";
import { texts } from "./texts";

export type PlanWay = keyof typeof texts.plans.ways;

/** The dialog; null while it is closed. */
export const planDialog = signal<PlanWay | null>(null);

/** The plan that was opened last, and what of it was not taken over. */
export const openedPlan = signal<{ readonly name: string; readonly remarks: readonly string[] } | null>(null);

/** Open a plan; the session becomes what it says. */
export async function openPlan(place: Place): Promise<void> {
  planDialog.value = null;
  const found = await act("POST /api/plan/open", { body: place });
  if (!found) return;
  take(found.study);
  go(found.study.steps.length ? "protect" : "risk");
  openedPlan.value = { name: place.path.split("/").at(-1)!, remarks: found.remarks };
  said.value = texts.plans.opened(openedPlan.value.name);
}
