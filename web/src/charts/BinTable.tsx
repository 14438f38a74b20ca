import { binned, edgesOf, recordsUpTo } from "../histogram";
import type { Curve } from "../limit";
import { count, plain } from "../numbers";
import { texts } from "../texts";
import { Scroll } from "../parts/Scroll";

interface Props {
  caption: string;
  curves: readonly { readonly name: string; readonly curve: Curve }[];
}

/** The same as the picture, for reading. */
export function BinTable({ caption, curves }: Props) {
  const edges = commonEdges(curves.map((each) => each.curve));
  const columns = curves.map(({ curve }) => binned(curve, edges));
  const words = texts.picture.table;
  return (
    <Scroll label={caption} tall>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              {words.from}
            </th>
            <th scope="col" class="number">
              {words.to}
            </th>
            {curves.flatMap(({ name }) => [
              <th scope="col" class="number" key={name}>
                {name}
              </th>,
              <th scope="col" class="number" key={`${name} above`}>
                {words.above}
              </th>,
            ])}
          </tr>
        </thead>
        <tbody>
          {columns[0]!.map((bin, i) =>
            columns.some((column) => column[i]!.records > 0) ? (
              <tr key={i}>
                <td class="number">{plain(bin.from, 3)}</td>
                <td class="number">{plain(bin.to, 3)}</td>
                {curves.flatMap(({ name, curve }, j) => [
                  <td class="number" key={name}>
                    {count(columns[j]![i]!.records)}
                  </td>,
                  <td class="number" key={`${name} above`}>
                    {count(curve.records - recordsUpTo(curve, bin.to))}
                  </td>,
                ])}
              </tr>
            ) : null,
          )}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Edges that hold all the curves. */
export function commonEdges(curves: readonly Curve[]): number[] {
  const lows = curves.map((curve) => curve.risk[0] ?? 0.001);
  const highs = curves.map((curve) => curve.risk.at(-1) ?? 1);
  return edgesOf(Math.min(...lows), Math.max(...highs));
}
