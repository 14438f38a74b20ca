import type { Cost } from "../../api";
import { count, figure, fixed, percent, signed } from "../../numbers";
import { BarTable } from "../../parts/BarTable";
import { Term } from "../../parts/Glossary";
import { Card } from "../../parts/Page";
import { texts } from "../../texts";
import { Scroll } from "../../parts/Scroll";

const words = texts.compare;
const MOST = 12;

/** How groups, tables and means changed. */
export function Changes({ cost }: { cost: Cost }) {
  return (
    <>
      {cost.hardest.length > 0 && <Hardest cost={cost} />}
      <Tables cost={cost} />
      <div class="columns">
        {cost.groups.length > 0 && <Groups cost={cost} />}
        {cost.means.length > 0 && <Means cost={cost} />}
      </div>
    </>
  );
}

function Hardest({ cost }: { cost: Cost }) {
  const { hardestHeads: heads } = words;
  return (
    <Card title={words.hardest}>
      <p class="hint">{words.hardestIntro(percent(cost.lost))}</p>
      <BarTable
        caption={words.hardest}
        quiet
        tone="unsafe"
        heads={[heads.group, heads.lost, heads.blanks, heads.records]}
        rows={cost.hardest.slice(0, MOST).map((each) => ({
          name: (
            <>
              <code>{each.by}</code> {each.category}
            </>
          ),
          value: each.lost,
          shown: percent(each.lost),
          more: [percent(each.blank_share), count(each.records)],
        }))}
      />
    </Card>
  );
}

function Tables({ cost }: { cost: Cost }) {
  const { tableHeads: heads } = words;
  const shown = cost.tables.slice(0, MOST);
  const left = cost.tables_left_out + cost.tables.length - shown.length;
  return (
    <Card title={words.tables}>
      {shown.length === 0 ? (
        <p class="hint">{words.noTables}</p>
      ) : (
        <>
          <p class="hint">{words.tablesIntro}</p>
          {cost.pmse !== null && cost.pmse_ratio !== null && (
            <p class="hint">{texts.numbers.propensity(figure(cost.pmse, 3), cost.pmse_ratio)}</p>
          )}
          <Scroll label={words.tables}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{heads.table}</th>
                  <th scope="col" class="number">
                    {heads.lost}
                  </th>
                  <th scope="col" class="number">
                    {heads.largest}
                  </th>
                  <th scope="col">{heads.where}</th>
                  <th scope="col" class="number">
                    <Term name="hellinger">{heads.distance}</Term>
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map((each) => (
                  <tr key={each.names.join()}>
                    <th scope="row">
                      <code>{each.names.join(" × ")}</code>
                    </th>
                    <td class="number">{percent(each.lost)}</td>
                    <td class="number">{fixed(100 * each.largest, 2)}</td>
                    <td>{each.where.join(", ")}</td>
                    <td class="number">{fixed(each.hellinger, 4)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
          {left > 0 && <p class="hint">{words.leftOut(count(left))}</p>}
        </>
      )}
    </Card>
  );
}

function Groups({ cost }: { cost: Cost }) {
  const { groupHeads: heads } = words;
  return (
    <Card title={words.groups}>
      <p class="hint">{words.groupsIntro}</p>
      <Scroll label={words.groups}>
        <table>
          <thead>
            <tr>
              <th scope="col">{heads.blanked}</th>
              <th scope="col">{heads.group}</th>
              <th scope="col" class="number">
                {heads.share}
              </th>
            </tr>
          </thead>
          <tbody>
            {cost.groups.slice(0, MOST).map((each, i) => (
              <tr key={i}>
                <th scope="row">
                  <code>{each.name}</code>
                </th>
                <td>
                  <code>{each.by}</code> {each.label || each.category}
                </td>
                <td class="number">{percent(each.share)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Card>
  );
}

function Means({ cost }: { cost: Cost }) {
  const { meanHeads: heads } = words;
  const change = (share: number | null) =>
    share === null ? "–" : share === 0 ? words.noChange : signed(share, (value) => percent(value, 2));
  return (
    <Card title={words.means}>
      <p class="hint">{words.meansIntro}</p>
      <Scroll label={words.means}>
        <table>
          <thead>
            <tr>
              <th scope="col">{heads.name}</th>
              <th scope="col">{heads.by}</th>
              <th scope="col" class="number">
                {heads.mean}
              </th>
              <th scope="col" class="number">
                {heads.total}
              </th>
            </tr>
          </thead>
          <tbody>
            {cost.means.slice(0, MOST).map((each, i) => (
              <tr key={i}>
                <th scope="row">
                  <code>{each.name}</code>
                </th>
                <td>{each.by ? <code>{each.by}</code> : words.wholeFile}</td>
                <td class="number">
                  {change(each.mean_change)} {!!each.mean_change && <span class="under">{each.mean_where}</span>}
                </td>
                <td class="number">
                  {change(each.total_change)} {!!each.total_change && <span class="under">{each.total_where}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Card>
  );
}
