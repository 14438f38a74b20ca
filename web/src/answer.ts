/** Answers that parts of the page need, asked for when they are shown and kept while they hold. */

import { effect } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { Api } from "./api";
import { ask, queryOf, Refusal, type Question, type Route } from "./client";
import { dataKey, decided, decisionsKey, fileKey, idle, leftBehind } from "./state";

export interface Answer<T> {
  readonly value: T | null;
  readonly refusal: Refusal | null;
  /** How far it is, while it is being worked on. */
  readonly waiting: { readonly stage: string; readonly fraction: number } | null;
  retry(): void;
}

export type Reading = { [R in Route]: R extends `GET ${string}` ? R : never }[Route];

const kept = new Map<string, unknown>();

/** The answer to a question about the data as they now are, and about what else it depends on. */
export function useAnswer<R extends Reading>(
  route: R,
  query: Api[R]["query"] | null,
  when = true,
  also = "",
): Answer<Api[R]["answer"]> {
  const key = when ? `${route}${queryOf(query)} ${about(route)} ${also}` : "";
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<Omit<Answer<Api[R]["answer"]>, "retry"> & { key: string }>({
    key: "",
    value: null,
    refusal: null,
    waiting: null,
  });
  useEffect(() => {
    if (!key || kept.has(key)) return undefined;
    const stop = new AbortController();
    const put = (part: Partial<Answer<Api[R]["answer"]>>) => {
      if (!stop.signal.aborted) {
        setState({ key, value: null, refusal: null, waiting: null, ...part });
      }
    };
    put({ waiting: { stage: "", fraction: 0 } });
    const before = idle();
    ask(route, {
      ...(query ? { query } : {}),
      signal: stop.signal,
      progress: (stage: string, fraction: number) => put({ waiting: { stage, fraction } }),
    } as unknown as Question<R>).then(
      (value) => {
        // Work that was done meanwhile may have changed what the answer is about.
        if (before !== null && idle() === before) keep(key, value);
        put({ value });
      },
      (error: unknown) => {
        if (error instanceof Refusal) put({ refusal: error });
        else throw error;
      },
    );
    return () => stop.abort();
  }, [key, attempt]);
  const retry = () => setAttempt(attempt + 1);
  if (kept.has(key)) {
    return { value: kept.get(key) as Api[R]["answer"], refusal: null, waiting: null, retry };
  }
  if (state.key !== key) return { value: null, refusal: null, waiting: key ? NOTHING : null, retry };
  return { ...state, retry };
}

/** Remember whether the decisions that an answer is about leave nothing open. */
export function useDecided(answer: { readonly open: readonly string[] } | null): void {
  const key = decisionsKey.value;
  useEffect(() => {
    if (answer) decided.value = answer.open.length ? "" : key;
  }, [answer, key]);
}

/** What an answer holds for: the file as read, or the data as they now are. */
function about(route: Route): string {
  return route === "GET /api/variables" || route === "GET /api/metadata" ? fileKey.value : dataKey.value;
}

const NOTHING = { stage: "", fraction: 0 };
const MOST_KEPT = 200;

effect(() => {
  for (const key of kept.keys()) if (leftBehind.value.some((each) => key.includes(each))) kept.delete(key);
});

function keep(key: string, value: unknown): void {
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!);
  kept.set(key, value);
}
