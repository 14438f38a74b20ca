import type { ComponentChildren } from "preact";
import { Button } from "../parts/Button";
import { texts } from "../texts";
import { goTo, stop, STOPS } from "./state";

const words = texts.guide;

interface FootProps {
  /** Why the primary action waits. */
  waits?: string | null;
  label?: string;
  onClick?(): void;
  children?: ComponentChildren;
}

/** The one primary action, always in sight, and what it waits for. */
export function Foot({ waits = null, label = words.next, onClick, children }: FootProps) {
  const place = STOPS.indexOf(stop.value);
  return (
    <footer class="foot">
      {place > 0 && <Button onClick={() => goTo(STOPS[place - 1]!)}>{texts.back(words.stops[STOPS[place - 1]!])}</Button>}
      <span class="buttons">
        {children}
        <Button kind="primary" blocked={waits} onClick={onClick ?? (() => goTo(STOPS[place + 1]!))}>
          {label}
        </Button>
      </span>
    </footer>
  );
}
