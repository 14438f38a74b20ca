import type { GapFigures, RiskFigures } from "../../api";
import { MUCH_HIGHER } from "../../api";
import { figure, odds, plain, ratePercent } from "../../numbers";
import { Notice } from "../../parts/Notice";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { study } from "../../state";
import { texts } from "../../texts";

const words = texts.risk.gaps;
const rules = texts.scenario.missing.options;
type Rule = keyof typeof rules;

/** The figures under each rule for missing keys, side by side; nothing where no key is missing. */
export function Gaps({ found }: { found: RiskFigures }) {
  const gaps = found.gaps as Partial<Record<Rule, GapFigures>>;
  const shown = (Object.keys(rules) as Rule[]).filter((rule) => gaps[rule]);
  if (!shown.length) return null;
  const { scenarios } = study.value!;
  const inUse = scenarios.find((each) => each.name === found.scenario)?.missing;
  const ratio = (gaps.expected?.expected ?? 0) / found.expected;
  const title = scenarios.length > 1 ? words.of(found.scenario) : words.title;
  const names = texts.risk.figures;
  return (
    <Card title={title}>
      <p class="hint">{words.intro}</p>
      <Scroll label={title}>
        <table>
          <caption class="hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{words.rule}</th>
              {[names.max, names.expected, names.rate].map((name) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((rule) => (
              <tr key={rule} class={rule === inUse ? "chosen" : ""}>
                <th scope="row">{rule === inUse ? words.inUse(rules[rule][0]) : rules[rule][0]}</th>
                <td class="number">
                  {plain(gaps[rule]!.max, 3)} ({odds(gaps[rule]!.max)})
                </td>
                <td class="number">{figure(gaps[rule]!.expected, 4)}</td>
                <td class="number">{ratePercent(gaps[rule]!.rate)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {ratio > MUCH_HIGHER && <Notice tone="warn">{words.higher(figure(ratio, 3))}</Notice>}
    </Card>
  );
}
