import type { NumberEffect } from "../api";
import { figure, plain } from "../numbers";
import { texts } from "../texts";
import { Scroll } from "./Scroll";

const words = texts.numbers;

/** How numbers changed, in short; with what the last columns mean. */
export function NumberEffects({ numbers }: { numbers: readonly NumberEffect[] }) {
  const weighted = numbers.some((each) => each.weighted);
  const told = (value: number | null) => (value === null ? "–" : plain(value, 3));
  return (
    <>
      <Scroll label={words.title}>
        <table>
          <caption class="hidden">{words.title}</caption>
          <thead>
            <tr>
              <th scope="col">{words.heads.name}</th>
              {[
                weighted ? words.heads.weightedMean : words.heads.mean,
                words.heads.deviation,
                words.heads.ranks,
                words.heads.sse,
                words.heads.il1s,
              ].map((head) => (
                <th scope="col" class="number" key={head}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {numbers.map((each) => (
              <tr key={each.variable}>
                <th scope="row">
                  <code>{each.variable}</code>
                </th>
                <td class="number">{words.change(figure(each.mean_before), figure(each.mean_after))}</td>
                <td class="number">
                  {words.change(figure(each.deviation_before), figure(each.deviation_after))}
                </td>
                <td class="number">{plain(each.rank_correlation, 3)}</td>
                <td class="number">{told(each.sse)}</td>
                <td class="number">{told(each.il1s)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <dl class="definitions">
        {words.definitions.map(([name, meaning]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
