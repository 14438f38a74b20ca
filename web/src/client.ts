/** Questions to the server on this computer: the key, plain answers and streams of events. */

import type { Api, Events, Problem } from "./api";
import { eventsOf } from "./events";
import { texts } from "./texts";

const STORE = "microsafe-key";

/** Take the key out of the address, so that it is neither shown nor kept in the history. */
export function takeKey(): string | null {
  const key = location.hash.slice(1);
  if (key) {
    sessionStorage.setItem(STORE, key);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(STORE);
}

/** A question that was not answered, and why. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.error);
  }

  /** Whether somebody stopped it. */
  get stopped(): boolean {
    return this.status === 499;
  }
}

export type Route = keyof Api;
type Given<R extends Route> = (Api[R]["query"] extends null
  ? { query?: null }
  : { query?: Api[R]["query"] }) &
  (Api[R]["body"] extends null ? { body?: null } : { body: Api[R]["body"] });

export type Question<R extends Route> = Given<R> & {
  signal?: AbortSignal;
  /** Told how far the work is, and its number. */
  progress?: (stage: string, fraction: number, job: number) => void;
  /** Revision of the study that it is about; it is refused if there is a later one. */
  seen?: number | undefined;
};

export async function ask<R extends Route>(route: R, question: Question<R>): Promise<Api[R]["answer"]> {
  const { signal, progress } = question;
  try {
    const response = await fetch(...request(route, question));
    const streaming = response.headers.get("Content-Type")?.startsWith("text/event-stream");
    const answer: unknown = streaming ? await streamed(response, progress) : await response.json();
    if (!response.ok) throw new Refusal(response.status, answer as Problem);
    return answer as Api[R]["answer"];
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (signal?.aborted) throw new Refusal(499, { error: texts.job.cancelled });
    throw new Refusal(0, { error: texts.lost.title, remedy: texts.lost.text });
  }
}

interface Sent {
  query?: object | null;
  body?: object | null;
  signal?: AbortSignal;
  seen?: number | undefined;
}

function request(route: Route, question: Sent): [string, RequestInit] {
  const [method, path] = route.split(" ") as [string, string];
  const headers: Record<string, string> = {
    Accept: "text/event-stream, application/json",
    Authorization: `Bearer ${sessionStorage.getItem(STORE) ?? ""}`,
  };
  const init: RequestInit = { method, headers, cache: "no-store" };
  if (question.signal) init.signal = question.signal;
  if (question.seen !== undefined) headers["If-Match"] = `"${question.seen}"`;
  if (method === "POST" || method === "PUT") {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(question.body ?? {});
  }
  return [path + queryOf(question.query), init];
}

/** Behind the question mark: lists are repeated, what is null is left out. */
export function queryOf(query: object | null | undefined): string {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== null && each !== undefined) found.append(name, String(each));
    }
  }
  return found.size ? `?${found}` : "";
}

async function streamed(
  response: Response,
  progress: ((stage: string, fraction: number, job: number) => void) | undefined,
): Promise<unknown> {
  let answer: unknown;
  for await (const { event, data } of eventsOf(response)) {
    const message: unknown = JSON.parse(data);
    if (event === "progress") {
      const { stage, fraction, job } = message as Events["progress"];
      progress?.(stage, fraction, job);
    } else if (event === "failed") {
      const { status, ...problem } = message as Events["failed"];
      throw new Refusal(status, problem);
    } else if (event === "done") {
      answer = message; // the stream is read to its end, so that its connection is free again
    }
  }
  if (answer !== undefined) return answer;
  throw new Refusal(0, { error: texts.lost.title, remedy: texts.lost.text });
}
