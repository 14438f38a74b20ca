/** The five decisions as the server has them, and which of them is on the screen. */

import { signal } from "@preact/signals";
import type { GuideFigures, GuideRequestInput } from "../api";
import type { Refusal } from "../client";
import { act, said, study, take } from "../state";
import { texts } from "../texts";

export const STOPS = ["file", "who", "out", "plan", "sign"] as const;
export type Stop = (typeof STOPS)[number];

export const stop = signal<Stop>("file");
export const guide = signal<GuideFigures | null>(null);
/** Whether the study has steps that are no decisions. */
export const elsewhere = signal(false);

const OTHER_STEPS = 409;

/** Take decisions otherwise; without any, look at what they are. */
export async function decide(body: GuideRequestInput = {}): Promise<boolean> {
  const refused = (refusal: Refusal) => {
    elsewhere.value = refusal.status === OTHER_STEPS && study.value!.steps.length > 0;
    return elsewhere.value;
  };
  return show(await act("PUT /api/guide", { body }, refused));
}

/** Search for plans to choose from. */
export async function search(): Promise<boolean> {
  const found = show(await act("POST /api/guide", {}));
  if (found) said.value = guide.value!.words_found;
  return found;
}

function show(found: GuideFigures | null): boolean {
  if (!found) return false;
  elsewhere.value = false;
  guide.value = found;
  take(found.study);
  return true;
}

/** Whether the decisions are about the study as it is now. */
export function isPresent(): boolean {
  return guide.value !== null && guide.value.study.revision === study.value?.revision;
}

export function goTo(next: Stop): void {
  stop.value = next;
  said.value = texts.guide.stops[next];
}
