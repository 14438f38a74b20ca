/** One variable as it would be read, asked for while it is being described. */

import { useEffect, useState } from "preact/hooks";
import type { Answer } from "../../answer";
import type { Declaration, VariableReading } from "../../api";
import { ask, Refusal } from "../../client";
import { fileKey } from "../../state";

const PATIENCE = 300; // milliseconds after the last change
const EMPTY = { key: "", value: null, refusal: null, waiting: null };

/** The last answer stays until there is another of the same variable, so that nothing jumps. */
export function useReading(name: string, declaration: Declaration): Answer<VariableReading> {
  const key = JSON.stringify([fileKey.value, name, declaration]);
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<Omit<Answer<VariableReading>, "retry"> & { key: string }>(EMPTY);
  useEffect(() => {
    const stop = new AbortController();
    const put = (part: Partial<Answer<VariableReading>>) => {
      if (!stop.signal.aborted) setState({ ...EMPTY, key, ...part });
    };
    const again = state.value?.name === name;
    const timer = setTimeout(
      () => {
        ask("POST /api/metadata/preview", { body: { name, declaration }, signal: stop.signal }).then(
          (value) => put({ value }),
          (error: unknown) => {
            if (error instanceof Refusal) put({ refusal: error });
            else throw error;
          },
        );
      },
      again ? PATIENCE : 0,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, attempt]);
  const retry = () => setAttempt(attempt + 1);
  const waiting = state.key === key ? null : { stage: "", fraction: 0 };
  const value = state.value?.name === name ? state.value : null;
  return { value, refusal: waiting ? null : state.refusal, waiting, retry };
}
