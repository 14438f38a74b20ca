import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Hatch } from "./charts/Hatch";
import { helpByKey } from "./help";
import { Tip } from "./charts/Tip";
import { Button } from "./parts/Button";
import { Guided, GuidedRail } from "./guided/Guided";
import { Drawer } from "./parts/Drawer";
import { Head } from "./parts/Head";
import { JobBar } from "./parts/JobBar";
import { Notice } from "./parts/Notice";
import { OtherWindow } from "./parts/OtherWindow";
import { PlanDialog } from "./parts/PlanDialog";
import { PlanRemarks } from "./parts/PlanRemarks";
import { Rail } from "./parts/Rail";
import { at, busy, go, problem, said, study } from "./state";
import { Closer } from "./steps/closer/Closer";
import { Compare } from "./steps/compare/Compare";
import { Explore } from "./steps/explore/Explore";
import { Inventory } from "./steps/inventory/Inventory";
import { Open } from "./steps/open/Open";
import { Propose } from "./steps/propose/Propose";
import { Protect } from "./steps/protect/Protect";
import { Release } from "./steps/release/Release";
import { Risk } from "./steps/risk/Risk";
import { Scenario } from "./steps/scenario/Scenario";
import { Variables } from "./steps/variables/Variables";
import { texts } from "./texts";
import { way } from "./way";

const pages = {
  open: Open,
  variables: Variables,
  scenario: Scenario,
  risk: Risk,
  closer: Closer,
  propose: Propose,
  protect: Protect,
  inventory: Inventory,
  compare: Compare,
  release: Release,
  explore: Explore,
};

export function App({ hasKey }: { hasKey: boolean }) {
  useEffect(() => {
    document.addEventListener("keydown", helpByKey);
    return () => document.removeEventListener("keydown", helpByKey);
  }, []);
  return (
    <div class="frame" data-busy={busy}>
      <a class="skip button" href="#main">
        {texts.skip}
      </a>
      <Head />
      {hasKey && (way.value === "guided" ? <GuidedRail /> : <Rail />)}
      <main id="main" tabIndex={-1}>
        {hasKey ? way.value === "guided" ? <Guided /> : <Page /> : <Notice tone="bad" title={texts.noKey.title} children={texts.noKey.text} />}
        <Tip />
      </main>
      {hasKey && study.value && <PlanDialog />}
      <Drawer />
      <Hatch />
      <div class="hidden" role="status">
        {said}
      </div>
    </div>
  );
}

/** The step in hand; its heading takes the focus when the step changes. */
function Page() {
  const page = useRef<HTMLDivElement>(null);
  const first = useRef(true);
  const step = at.value;
  useLayoutEffect(() => {
    document.title = `${texts.steps[step]} – ${texts.product}`;
    if (!first.current) page.current?.querySelector<HTMLElement>("h1")?.focus();
    first.current = false;
  }, [step]);
  const Step = pages[step];
  const fix = problem.value?.at;
  return (
    <div class={`page at-${step}`} ref={page}>
      <JobBar />
      {problem.value && (
        <Notice tone="bad" title={problem.value.error} live>
          {problem.value.remedy} {fix && <Button small onClick={() => go(fix)}>{texts.goTo(texts.steps[fix])}</Button>}
        </Notice>
      )}
      <OtherWindow />
      <PlanRemarks />
      {study.value && <Step />}
    </div>
  );
}
