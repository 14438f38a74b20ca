import { useEffect, useState } from "preact/hooks";
import { said, work } from "../state";
import { texts } from "../texts";

const PATIENCE = 300; // milliseconds: shorter work needs no bar

/** Work under way: stage, how far, and a way to cancel. */
export function JobBar() {
  const now = work.value;
  const busy = now !== null;
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!busy) return undefined;
    const timer = setTimeout(() => {
      if (!work.peek()) return; // it ended just now, and has said so
      setLate(true);
      said.value = texts.job.working;
    }, PATIENCE);
    return () => clearTimeout(timer);
  }, [busy]);
  if (!now || !late) return null;
  return (
    <div class="job" role="group" aria-label={texts.job.working}>
      <span>{texts.job.stage(now.stage)}</span>
      <progress max={1} value={now.fraction} aria-label={now.stage || texts.job.working} />
      <span class="number">{texts.job.percent(now.fraction)}</span>
      {now.enough && (
        <button type="button" class="button small" onClick={now.enough}>
          {texts.job.enough}
        </button>
      )}
      <button type="button" class="button small" onClick={now.cancel}>
        {texts.job.cancel}
      </button>
    </div>
  );
}
