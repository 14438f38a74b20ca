/** Two ways through the same study: five decisions, or all steps. */

import { effect, signal } from "@preact/signals";

export type Way = "guided" | "all";

const STORE = "microsafe-way";

export const way = signal<Way>(sessionStorage.getItem(STORE) === "all" ? "all" : "guided");

effect(() => sessionStorage.setItem(STORE, way.value));
