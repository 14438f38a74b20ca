import { useAnswer } from "../../answer";
import type { KeyValue, RiskFigures } from "../../api";
import { count, figure, odds, plain } from "../../numbers";
import { Card } from "../../parts/Page";
import { Waiting } from "../../parts/Waiting";
import { texts } from "../../texts";
import { Scroll } from "../../parts/Scroll";

const words = texts.risk;
const MOST = 10;

/** The riskiest combinations of key values. */
export function RiskyCells({ scenario, estimator, perturbed }: Pick<RiskFigures, "scenario" | "estimator" | "perturbed">) {
  const answer = useAnswer("GET /api/cells", { scenario, most: MOST });
  return (
    <Card class="wide" title={words.cells}>
      <p class="hint">
        {words.cellsIntro[estimator]} {perturbed && words.cellsBefore(perturbed)}
      </p>
      <Waiting answer={answer}>
        {(found) => (
          <Scroll label={words.cells}>
            <table>
              <thead>
                <tr>
                  {found.keys.map((key) => (
                    <th scope="col" key={key}>
                      <code>{key}</code>
                    </th>
                  ))}
                  <th scope="col" class="number">
                    {words.cellHeads.records}
                  </th>
                  <th scope="col" class="number">
                    {words.cellHeads.people}
                  </th>
                  <th scope="col" class="number">
                    {words.cellHeads.risk}
                  </th>
                </tr>
              </thead>
              <tbody>
                {found.cells.map((cell, i) => (
                  <tr key={i}>
                    {cell.values.map((value, j) => (
                      <td key={j}>{said(value)}</td>
                    ))}
                    <td class="number">{count(cell.records)}</td>
                    <td class="number">{figure(cell.F, 3)}</td>
                    <td class="number">
                      {plain(cell.risk, 3)} <span class="hint">{odds(cell.risk)}</span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </Waiting>
    </Card>
  );
}

function said({ code, label }: KeyValue) {
  if (code === null) return <em class="hint">{words.missing}</em>;
  return label || code;
}
