import type { ComponentChildren } from "preact";
import { Scroll } from "./Scroll";

export interface BarRow {
  readonly name: ComponentChildren;
  readonly value: number;
  readonly shown: string;
  readonly more?: readonly string[];
}

interface Props {
  caption: string;
  heads: readonly string[];
  rows: readonly BarRow[];
  tone?: "safe" | "unsafe";
  /** Whether the caption is for those who hear the page only: a heading says it already. */
  quiet?: boolean;
  /** What a full bar stands for; the largest value if not given. */
  full?: number;
}

/** A chart that is its own table: name, figure, and a bar beside it. */
export function BarTable({ caption, heads, rows, tone = "safe", quiet, full }: Props) {
  const most = full ?? Math.max(...rows.map((row) => row.value), Number.MIN_VALUE);
  return (
    <Scroll label={caption}>
      <table class="bars">
        <caption class={quiet ? "hidden" : ""}>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{heads[0]}</th>
            {heads.slice(1).map((head) => (
              <th scope="col" class="number" key={head}>
                {head}
              </th>
            ))}
            <td class="bar" aria-hidden="true" />
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              <th scope="row">{row.name}</th>
              <td class="number">{row.shown}</td>
              {row.more?.map((each, j) => (
                <td class="number" key={j}>
                  {each}
                </td>
              ))}
              <td class="bar" aria-hidden="true">
                <svg width="100%" height="12" preserveAspectRatio="none">
                  <rect
                    class={tone}
                    width={`${Math.min(100, Math.max(row.value > 0 ? 0.8 : 0, (100 * row.value) / most))}%`}
                    height="12"
                    rx="2"
                  />
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
