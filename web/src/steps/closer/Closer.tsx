import { Button } from "../../parts/Button";
import { Heading } from "../../parts/Page";
import { Tabs } from "../../parts/Tabs";
import { go, look, scenarioName } from "../../state";
import { texts } from "../../texts";
import { ScenarioChoice } from "../risk/Risk";
import { Areas } from "./Areas";
import { Combinations } from "./Combinations";
import { Diversity } from "./Diversity";
import { FileModels } from "./FileModels";
import { Numbers } from "./Numbers";
import { Tables } from "./Tables";
import { Uniques } from "./Uniques";

const words = texts.closer;

type Look = keyof typeof words.tabs;

const looks: Record<Look, (props: { scenario: string }) => preact.JSX.Element> = {
  combinations: Combinations,
  uniques: Uniques,
  tables: Tables,
  areas: Areas,
  diversity: Diversity,
  numbers: Numbers,
  file: FileModels,
};

/** Where the risk comes from, in as much detail as the person asks for. */
export function Closer() {
  const scenario = scenarioName.value;
  const Shown = looks[look.value];
  return (
    <>
      <Heading title={words.title} help={texts.help.pages.looks[look.value]}>
        {words.intro}
      </Heading>
      <ScenarioChoice />
      <section class="card">
        <Tabs<Look> label={words.tabsLabel} options={words.tabs} value={look.value} onChange={(next) => (look.value = next)}>
          <Shown key={`${look.value} ${scenario}`} scenario={scenario} />
        </Tabs>
      </section>
      <footer>
        <Button onClick={() => go("risk")}>{texts.back(texts.steps.risk)}</Button>
        <Button kind="primary" onClick={() => go("propose")}>
          {texts.next(texts.steps.propose)}
        </Button>
      </footer>
    </>
  );
}
