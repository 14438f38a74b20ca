import { useAnswer } from "../../answer";
import type { LinkCounts, NumericFigures, Step } from "../../api";
import { count, figure, percent } from "../../numbers";
import { BarTable } from "../../parts/BarTable";
import { Definitions } from "../../parts/Definitions";
import { Term } from "../../parts/Glossary";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Waiting } from "../../parts/Waiting";
import { study } from "../../state";
import { texts } from "../../texts";

const words = texts.risk.numbers;
/** Kinds that may change numbers; of keys they are told elsewhere. */
const NUMERIC: readonly Step["do"][] = [
  "microaggregate",
  "noise",
  "rank_swap",
  "shuffle",
  "round",
  "top_code",
  "bottom_code",
];

/** Whether records can be found again by numbers that steps have changed; nothing if there are none. */
export function NumbersCard({ scenario }: { scenario: string }) {
  const changed = study.value!.steps.some(({ step }) => NUMERIC.includes(step.do));
  const answer = useAnswer("GET /api/numeric-risk", { scenario }, changed);
  if (!changed || answer.value?.variables.length === 0) return null;
  return (
    <Card title={<Term name="numericRisk">{words.title}</Term>}>
      <Waiting answer={answer}>{(found) => <LinkedNumbers found={found} />}</Waiting>
    </Card>
  );
}

/** Linked records and intervals of some numbers. */
export function LinkedNumbers({ found, by = "deviation" }: { found: NumericFigures; by?: "deviation" | "ranks" }) {
  const adjusted = found.linkages.some((each) => each.adjusted);
  const window = found.linkages.some((each) => each.window);
  return (
    <>
      <p class="hint">{words.intro(found.variables.join(", "))}</p>
      <Scroll label={words.title}>
        <table>
          <caption class="hidden">{words.title}</caption>
          <thead>
            <tr>
              <th scope="col">{words.heads.who}</th>
              <th scope="col" class="number">
                {words.heads.all}
              </th>
              <th scope="col" class="number">
                {words.heads.outer}
              </th>
              {adjusted && (
                <th scope="col" class="number">
                  {words.heads.adjusted}
                </th>
              )}
              {window && (
                <th scope="col" class="number">
                  {words.heads.window}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {found.linkages.map((each) => (
              <tr key={each.keys.length}>
                <th scope="row">
                  {each.keys.length ? words.withKeys(each.keys.join(", ")) : words.alone}
                </th>
                <Share found={each.all} />
                <Share found={each.outer} />
                {each.adjusted && <Share found={each.adjusted} />}
                {each.window && <Share found={each.window} />}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p class="hint">{words.sparse}</p>
      <p>{words.inside(percent(found.width, 0), words.units[by])}</p>
      <BarTable
        caption={words.inside(percent(found.width, 0), words.units[by])}
        heads={words.insideHeads}
        quiet
        full={1}
        rows={[
          ...Object.entries(found.by_variable).map(([name, share]) => ({
            name: <code>{name}</code>,
            value: share,
            shown: percent(share),
          })),
          ...(found.variables.length > 1
            ? [{ name: words.every, value: found.inside, shown: percent(found.inside) }]
            : []),
        ]}
      />
      <Definitions of={words.definitions} />
    </>
  );
}

function Share({ found }: { found: LinkCounts }) {
  return (
    <td class="number">
      {percent(found.rate)}
      <span class="under">
        {words.of(figure(found.expected, 4), count(found.records))}
        {found.error > 0 && `, ${words.error(percent(found.error, 2))}`}
      </span>
    </td>
  );
}
