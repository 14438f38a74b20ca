import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { nextMark } from "../charts/marks";
import { telling } from "../charts/Tip";
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
  const body = useRef<HTMLTableSectionElement>(null);
  const [place, setPlace] = useState(0);
  const at = Math.min(place, rows.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = event.target === body.current!.rows[at] ? nextMark(event.key, at, rows.length) : null;
    if (next === null) return;
    event.preventDefault();
    setPlace(next);
    body.current!.rows[next]?.focus();
  };
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
        <tbody ref={body} onKeyDown={onKeyDown}>
          {rows.map((row, i) => (
            <tr
              key={i}
              tabIndex={i === at ? 0 : -1}
              {...telling((part) => [
                part.querySelector("th")!.textContent ?? "",
                ...[row.shown, ...(row.more ?? [])].map((each, j) => `${heads[j + 1]}: ${each}`),
              ])}
            >
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
