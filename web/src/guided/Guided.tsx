import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { GuideFigures } from "../api";
import { Button } from "../parts/Button";
import { JobBar } from "../parts/JobBar";
import { Notice } from "../parts/Notice";
import { OtherWindow } from "../parts/OtherWindow";
import { busy, problem, released, study } from "../state";
import { Open } from "../steps/open/Open";
import { texts } from "../texts";
import { way } from "../way";
import { FileScreen } from "./FileScreen";
import { OutScreen } from "./OutScreen";
import { PlanScreen } from "./PlanScreen";
import { SignScreen } from "./SignScreen";
import { WhoScreen } from "./WhoScreen";
import { decide, elsewhere, goTo, guide, isPresent, stop, STOPS, type Stop } from "./state";

const words = texts.guide;
const screens = { file: FileScreen, who: WhoScreen, out: OutScreen, plan: PlanScreen, sign: SignScreen };

/** The guided way: one decision a screen, and the one thing to press below. */
export function Guided() {
  const file = study.value?.file;
  const present = isPresent();
  const stale = elsewhere.value;
  useEffect(() => {
    if (file && !present && !stale && !busy.peek()) void decide();
  }, [file?.sha256, file?.metadata, present, stale]);
  if (!study.value) return null;
  if (!file) return <Screen>{<Open />}</Screen>;
  if (stale) return <Screen><Elsewhere /></Screen>;
  const found = guide.value;
  return <Screen>{found && <Decision key={stop.value} found={found} />}</Screen>;
}

function Screen({ children }: { children: ComponentChildren }) {
  return (
    <div class="page guided">
      <JobBar />
      {problem.value && (
        <Notice tone="bad" title={problem.value.error} live>
          {problem.value.remedy}
        </Notice>
      )}
      <OtherWindow />
      {children}
    </div>
  );
}

function Decision({ found }: { found: GuideFigures }) {
  const box = useRef<HTMLDivElement>(null);
  const Shown = screens[stop.value];
  useLayoutEffect(() => {
    document.title = `${words.stops[stop.value]} – ${texts.product}`;
    box.current?.querySelector<HTMLElement>("h1")?.focus();
  }, []);
  return (
    <div class="decision-screen" ref={box}>
      <Shown found={found} />
    </div>
  );
}

function Elsewhere() {
  return (
    <Notice tone="info" title={words.elsewhere.title}>
      {words.elsewhere.text}{" "}
      <span class="buttons">
        <Button kind="primary" small onClick={() => (way.value = "all")}>
          {words.elsewhere.all}
        </Button>
        <Button small onClick={() => void decide({ anew: true })}>
          {words.elsewhere.anew}
        </Button>
      </span>
    </Notice>
  );
}

/** Where one is among the five. */
export function GuidedRail() {
  const reached = (next: Stop) => next !== "sign" || Boolean(guide.value?.plans.length) || released.value !== null;
  return (
    <nav class="rail" aria-label={words.rail}>
      <div>
        <ol>
          {STOPS.map((each, i) => {
            const open = isPresent() && !elsewhere.value && reached(each);
            return (
              <li key={each}>
                <button
                  type="button"
                  aria-current={stop.value === each ? "step" : undefined}
                  aria-disabled={open ? undefined : "true"}
                  onClick={() => open && goTo(each)}
                >
                  <span class="mark" aria-hidden="true">
                    {i + 1}
                  </span>
                  <span>{words.stops[each]}</span>
                </button>
              </li>
            );
          })}
        </ol>
      </div>
    </nav>
  );
}
