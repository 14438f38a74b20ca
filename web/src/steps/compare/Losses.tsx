import type { Cost } from "../../api";
import { count, fixed, percent } from "../../numbers";
import { BarTable } from "../../parts/BarTable";
import { Card } from "../../parts/Page";
import { texts } from "../../texts";

const words = texts.compare;

function categories({ categories: before, categories_after: after }: Cost["losses"][number]): string {
  return before === after ? count(before) : `${count(before)} → ${count(after)}`;
}

/** Blanks by key, and what each variable tells less. */
export function Losses({ cost }: { cost: Cost }) {
  const blanked = cost.losses.filter((each) => each.blanks > 0).sort((a, b) => b.blanks - a.blanks);
  const lost = cost.losses.filter((each) => each.lost > 0 || each.dropped).sort((a, b) => b.lost - a.lost);
  const others = cost.dropped.filter((name) => !cost.losses.some((each) => each.name === name));
  return (
    <div class="columns">
      <Card title={words.blanks}>
        {blanked.length ? (
          <BarTable
            caption={words.blanks}
            quiet
            tone="unsafe"
            heads={words.blankHeads}
            rows={blanked.map((each) => ({
              name: <code>{each.name}</code>,
              value: each.blanks,
              shown: count(each.blanks),
              more: [percent(each.blank_share)],
            }))}
          />
        ) : (
          <p class="hint">{words.noBlanks}</p>
        )}
      </Card>
      <Card title={words.information}>
        <p class="hint">{words.infoIntro}</p>
        {lost.length + others.length ? (
          <BarTable
            caption={words.information}
            quiet
            heads={[
              words.infoHeads.name,
              words.infoHeads.categories,
              words.infoHeads.lost,
              words.infoHeads.share,
            ]}
            full={1}
            rows={[
              ...lost.map((each) => ({
                name: <code>{each.name}</code>,
                value: each.lost_share,
                shown: each.dropped ? words.dropped : categories(each),
                more: [fixed(each.lost, 3), percent(each.lost_share)],
              })),
              ...others.map((name) => ({
                name: <code>{name}</code>,
                value: 1,
                shown: words.dropped,
                more: ["", percent(1)],
              })),
            ]}
          />
        ) : (
          <p class="hint">{words.nothingLost}</p>
        )}
      </Card>
    </div>
  );
}
