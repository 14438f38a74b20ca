import { useEffect, useRef } from "preact/hooks";
import { Hatch } from "./charts/Hatch";
import { Button } from "./parts/Button";
import { Glossary } from "./parts/Glossary";
import { Head } from "./parts/Head";
import { JobBar } from "./parts/JobBar";
import { Notice } from "./parts/Notice";
import { Rail } from "./parts/Rail";
import { at, go, problem, said, study } from "./state";
import { Compare } from "./steps/compare/Compare";
import { Inventory } from "./steps/inventory/Inventory";
import { Open } from "./steps/open/Open";
import { Protect } from "./steps/protect/Protect";
import { Release } from "./steps/release/Release";
import { Risk } from "./steps/risk/Risk";
import { Scenario } from "./steps/scenario/Scenario";
import { texts } from "./texts";

const pages = {
  open: Open,
  scenario: Scenario,
  risk: Risk,
  protect: Protect,
  inventory: Inventory,
  compare: Compare,
  release: Release,
};

export function App({ hasKey }: { hasKey: boolean }) {
  return (
    <div class="frame">
      <a class="skip button" href="#main">
        {texts.skip}
      </a>
      <Head />
      {hasKey && <Rail />}
      <main id="main" tabIndex={-1}>
        {hasKey ? <Page /> : <Notice tone="bad" title={texts.noKey.title} children={texts.noKey.text} />}
      </main>
      <Glossary />
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
  useEffect(() => {
    document.title = `${texts.steps[step]} – ${texts.product}`;
    if (!first.current) page.current?.querySelector<HTMLElement>("h1")?.focus();
    first.current = false;
  }, [step]);
  const Step = pages[step];
  const fix = problem.value?.at;
  return (
    <div class="page" ref={page}>
      <JobBar />
      {problem.value && (
        <Notice tone="bad" title={problem.value.error} live>
          {problem.value.remedy} {fix && <Button small onClick={() => go(fix)}>{texts.goTo(texts.steps[fix])}</Button>}
        </Notice>
      )}
      {study.value && <Step />}
    </div>
  );
}
