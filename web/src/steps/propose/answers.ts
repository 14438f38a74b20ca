/** Ladders and the proposal in hand, asked for while the step is shown. */

import { useEffect, useState } from "preact/hooks";
import type { Answer } from "../../answer";
import type { LadderList } from "../../api";
import { ask, Refusal } from "../../client";
import { dataKey, fileKey } from "../../state";
import { draft, draftOf, opened, proposal } from "./draft";

const PATIENCE = 250; // milliseconds after the last change

interface Asked extends Omit<Answer<LadderList>, "retry"> {
  readonly key: string;
}

const NOTHING: Asked = { key: "", value: null, refusal: null, waiting: null };

/** Every key's ladder, edited or not; the last answer stays while the next one is worked out. */
export function useLadders(
  ladders: Readonly<Record<string, readonly unknown[]>>,
  when = true,
): Answer<LadderList> {
  const key = when ? JSON.stringify([ladders, dataKey.value]) : "";
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<Asked>(NOTHING);
  useEffect(() => {
    if (!key) return undefined;
    const stop = new AbortController();
    const put = (change: (before: Asked) => Asked) => {
      if (!stop.signal.aborted) setState(change);
    };
    put((before) => ({ ...before, refusal: null, waiting: { stage: "", fraction: 0 } }));
    const timer = setTimeout(() => {
      ask("POST /api/ladders", {
        body: { ladders },
        signal: stop.signal,
        progress: (stage, fraction) => put((before) => ({ ...before, waiting: { stage, fraction } })),
      }).then(
        (value) => put(() => ({ ...NOTHING, key, value })),
        (error: unknown) => {
          if (error instanceof Refusal) put((before) => ({ ...before, key, refusal: error, waiting: null }));
          else throw error;
        },
      );
    }, PATIENCE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, attempt]);
  return { ...(key ? state : NOTHING), retry: () => setAttempt(attempt + 1) };
}

let about = ""; // the file that the proposal in hand is about

/** Keep the proposal in hand up to date: steps, undo and other windows change what it is worth. */
export function useProposal(): void {
  const data = dataKey.value;
  const file = fileKey.value;
  useEffect(() => {
    const stop = new AbortController();
    if (file !== about) {
      about = file;
      proposal.value = opened.value = null;
    }
    const number = proposal.peek()?.proposal;
    ask("GET /api/proposal", {
      query: number === undefined ? {} : { proposal: number },
      signal: stop.signal,
    }).then(
      ({ found }) => {
        // A search may have ended meanwhile, and then this is about the one before.
        if (stop.signal.aborted || proposal.peek()?.proposal !== number) return;
        proposal.value = found;
        if (!found) opened.value = null;
        else if (draft.untouched) draft.put(draftOf(found.asked));
      },
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      },
    );
    return () => stop.abort();
  }, [data, file]);
}
