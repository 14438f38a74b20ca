import type { NumberEffect } from "../api";
import { figure, plain } from "../numbers";
import { texts } from "../texts";
import { Definitions } from "./Definitions";
import { Scroll } from "./Scroll";

const words = texts.numbers;

const told = (value: number | null) => (value === null ? "–" : plain(value, 3));

/** How numbers changed, in short, and what the figures mean. */
export function NumberEffects({ numbers, slim }: { numbers: readonly NumberEffect[]; slim?: boolean }) {
  return (
    <>
      {slim ? numbers.map((each) => <OneNumber key={each.variable} number={each} />) : <Table numbers={numbers} />}
      <Definitions of={words.definitions} />
    </>
  );
}

/** One number, figure by figure, where there is little room. */
function OneNumber({ number }: { number: NumberEffect }) {
  const both = [
    [number.weighted ? words.heads.weightedMean : words.heads.mean, number.mean_before, number.mean_after],
    [words.heads.deviation, number.deviation_before, number.deviation_after],
  ] as const;
  const single = [
    [words.heads.ranks, number.rank_correlation],
    [words.heads.sse, number.sse],
    [words.heads.il1s, number.il1s],
  ] as const;
  return (
    <table>
      <caption class="hidden">{words.of(number.variable)}</caption>
      <thead>
        <tr>
          <th scope="col">
            <code>{number.variable}</code>
          </th>
          <th scope="col" class="number">
            {words.before}
          </th>
          <th scope="col" class="number">
            {words.after}
          </th>
        </tr>
      </thead>
      <tbody>
        {both.map(([name, before, after]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{figure(before)}</td>
            <td class="number">{figure(after)}</td>
          </tr>
        ))}
        {single.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number" colSpan={2}>
              {told(value)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Table({ numbers }: { numbers: readonly NumberEffect[] }) {
  const weighted = numbers.some((each) => each.weighted);
  return (
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
  );
}
