import { signal } from "@preact/signals";
import { topicOfWay } from "../../help";
import { Tabs } from "../../parts/Tabs";
import { Button } from "../../parts/Button";
import { Heading } from "../../parts/Page";
import { go, study } from "../../state";
import { texts } from "../../texts";
import { CodeEnds } from "./CodeEnds";
import { History } from "./History";
import { More, Perturb } from "./More";
import { GapsNow, Now } from "./Now";
import { RecodeEditor } from "./RecodeEditor";
import { Suggestions } from "./Suggestions";
import { SuppressForm } from "./SuppressForm";

const words = texts.protect;

export type Way = keyof typeof words.ways;

/** Which way of protecting is in hand; kept while the user looks elsewhere. */
export const way = signal<Way>("suggest");

const forms: Record<Way, () => preact.JSX.Element> = {
  suggest: Suggestions,
  recode: RecodeEditor,
  code: CodeEnds,
  perturb: Perturb,
  suppress: SuppressForm,
  more: More,
};

export function Protect() {
  const Form = forms[way.value];
  const taken = study.value!.steps.length > 0;
  return (
    <>
      <Heading title={words.title} help={topicOfWay(way.value)}>
        {words.intro}
      </Heading>
      <div class="columns wide-left slim">
        <section class="card">
          <Tabs<Way>
            label={words.waysLabel}
            options={words.ways}
            value={way.value}
            onChange={(next) => (way.value = next)}
          >
            <Form key={way.value} />
          </Tabs>
        </section>
        <div class="stack">
          <Now />
          <GapsNow />
          <History />
        </div>
      </div>
      <footer>
        <Button onClick={() => go("propose")}>{texts.back(texts.steps.propose)}</Button>
        <span class="buttons">
          <Button kind={taken ? "primary" : ""} onClick={() => go("inventory")}>
            {texts.next(texts.steps.inventory)}
          </Button>
        </span>
      </footer>
    </>
  );
}
