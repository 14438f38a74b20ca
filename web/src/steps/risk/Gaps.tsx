import type { GapFigures, RiskFigures } from "../../api";
import { FORMS, MUCH_HIGHER } from "../../api";
import { figure, odds, plain, ratePercent } from "../../numbers";
import { Notice } from "../../parts/Notice";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { study } from "../../state";
import { texts } from "../../texts";

const words = texts.risk.gaps;
const { integrate: _, ...rules } = FORMS.scenario.missing.choices;
type Rule = keyof typeof rules;

interface Props {
  found: RiskFigures;
  /** Whether there is only a slim column for it. */
  slim?: boolean;
}

/** The figures under each rule for missing keys, side by side; nothing where no key is missing. */
export function Gaps({ found, slim }: Props) {
  const gaps = found.gaps as Partial<Record<Rule, GapFigures>>;
  const { scenarios } = study.value!;
  const inUse = scenarios.find((each) => each.name === found.scenario)?.missing;
  const rows = (Object.keys(rules) as Rule[]).flatMap((rule) => {
    const each = gaps[rule];
    if (!each) return [];
    const max = `${plain(each.max, 3)} (${odds(each.max)})`;
    const name = rule === inUse ? words.inUse(rules[rule]) : rules[rule];
    return [{ rule, name, max, expected: figure(each.expected, 4), rate: ratePercent(each.rate) }];
  });
  if (!rows.length) return null;
  const ratio = (gaps.expected?.expected ?? 0) / found.expected;
  const title = scenarios.length > 1 ? words.of(found.scenario) : words.title;
  const names = texts.risk.figures;
  return (
    <Card title={title}>
      {slim ? (
        <dl class="gaps">
          {rows.map((each) => (
            <div key={each.rule}>
              <dt>{each.name}</dt>
              <dd class="under">{words.short(each.expected, each.max)}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <>
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
                {rows.map((each) => (
                  <tr key={each.rule} class={each.rule === inUse ? "chosen" : ""}>
                    <th scope="row">{each.name}</th>
                    <td class="number">{each.max}</td>
                    <td class="number">{each.expected}</td>
                    <td class="number">{each.rate}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        </>
      )}
      {ratio > MUCH_HIGHER && <Notice tone="warn">{words.higher(figure(ratio, 3))}</Notice>}
    </Card>
  );
}
