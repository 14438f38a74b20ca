/** What a step would do, asked for while it is being edited. */

import { useEffect, useState } from "preact/hooks";
import type { Answer } from "../../answer";
import type { PreviewFigures, StepInput } from "../../api";
import { ask, Refusal } from "../../client";
import { limitOf } from "../../limits";
import { dataKey, scenarioName, study } from "../../state";

const PATIENCE = 300; // milliseconds after the last change

/** Preview of a step; a step that is not complete yet (null) has none. */
export function usePreview(step: StepInput | null): Answer<PreviewFigures> {
  const key = step && JSON.stringify([step, scenarioName.value, limitOf(study.value, scenarioName.value), dataKey.value]);
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<Omit<Answer<PreviewFigures>, "retry"> & { key: string | null }>(EMPTY);
  useEffect(() => {
    if (!key || !step) return undefined;
    const stop = new AbortController();
    const put = (part: Partial<Answer<PreviewFigures>>) => {
      if (!stop.signal.aborted) setState({ ...EMPTY, key, ...part });
    };
    const timer = setTimeout(() => {
      put({ waiting: { stage: "", fraction: 0 } });
      ask("POST /api/preview", {
        body: step,
        query: { scenario: scenarioName.value },
        signal: stop.signal,
        progress: (stage, fraction) => put({ waiting: { stage, fraction } }),
      }).then(
        (value) => put({ value }),
        (error: unknown) => {
          if (error instanceof Refusal) put({ refusal: error });
          else throw error;
        },
      );
    }, PATIENCE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, attempt]);
  const retry = () => setAttempt(attempt + 1);
  if (!key) return { ...EMPTY, retry };
  return state.key === key ? { ...state, retry } : { ...EMPTY, waiting: { stage: "", fraction: 0 }, retry };
}

const EMPTY = { key: null, value: null, refusal: null, waiting: null };
