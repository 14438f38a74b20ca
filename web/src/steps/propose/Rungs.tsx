import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { KeyLadder } from "../../api";
import { count, percent } from "../../numbers";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { Term } from "../../parts/Glossary";
import { Waiting } from "../../parts/Waiting";
import { texts } from "../../texts";
import { GroupTable } from "../protect/GroupTable";
import { groupsStep, type Group } from "../protect/recoding";
import { draft, readWidths, toggled, withLadder } from "./draft";

const words = texts.propose.ladders;

interface Shown {
  readonly words: string;
  readonly source: unknown;
  readonly categories: number | null;
  readonly loss: number | null;
  readonly allowed: boolean;
  /** Whether somebody added it. */
  readonly own: boolean;
}

/** The rungs of a key: those suggested, allowed or not, and those that somebody added. */
export function shownRungs(
  ladder: KeyLadder,
  mine: readonly unknown[] | undefined,
  edited: KeyLadder | undefined,
): Shown[] {
  const suggested = ladder.rungs.map((each) => ({
    ...each,
    allowed: !mine || mine.includes(each.source),
    own: false,
  }));
  const own = (mine ?? []).filter((source) => typeof source !== "string");
  const widths = own.some((source) => typeof source === "number");
  const added = own.map((source) => {
    const told = edited?.rungs.find((each) => JSON.stringify(each.source) === JSON.stringify(source));
    const name = typeof source === "number" ? words.bins(source) : words.byHand;
    return {
      words: typeof source === "number" ? name : (told?.words ?? name),
      source,
      categories: told?.categories ?? null,
      loss: told?.loss ?? null,
      allowed: true,
      own: true,
    };
  });
  // Bins of one's own widths take the place of those suggested, which only Back brings back.
  const left = suggested.filter((each) => each.allowed || !widths);
  return [...left, ...added].sort((a, b) => (b.categories ?? 0) - (a.categories ?? 0));
}

/** The ladder of a key to edit: rungs allowed or not, bins of one's own, categories merged by hand. */
export function Rungs({ ladder, edited }: { ladder: KeyLadder; edited: KeyLadder | undefined }) {
  const { ladders } = draft.value;
  const mine = ladders[ladder.key];
  const put = (sources: readonly unknown[] | null) =>
    draft.put({ ladders: withLadder(ladders, ladder, sources) });
  const rungs = shownRungs(ladder, mine, edited);
  const { rungHeads } = words;
  return (
    <div class="stack">
      {rungs.length > 0 && (
        <table>
          <caption class="hidden">{words.caption(ladder.key)}</caption>
          <thead>
            <tr>
              <th scope="col">{rungHeads.allowed}</th>
              <th scope="col">
                <Term name="rung">{rungHeads.rung}</Term>
              </th>
              <th scope="col" class="number">
                {rungHeads.categories}
              </th>
              <th scope="col" class="number">
                {rungHeads.loss}
              </th>
            </tr>
          </thead>
          <tbody>
            {rungs.map((each) => (
              <tr key={JSON.stringify(each.source)}>
                <td>
                  {each.own ? (
                    <Button small more={each.words} onClick={() => put(toggled(mine, ladder.rungs, each.source))}>
                      {words.remove}
                    </Button>
                  ) : (
                    <input
                      type="checkbox"
                      aria-label={words.allow(each.words)}
                      checked={each.allowed}
                      onChange={() => put(toggled(mine, ladder.rungs, each.source))}
                    />
                  )}
                </td>
                <th scope="row">{each.words}</th>
                <td class="number">{each.categories === null ? "–" : count(each.categories)}</td>
                <td class="number">{each.loss === null ? "–" : percent(each.loss)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {ladder.numeric && <Widths use={put} />}
      <Merge ladder={ladder} add={(source) => put([...(mine ?? ladder.rungs.map((each) => each.source)), source])} />
      {mine && (
        <div class="buttons">
          <Button small onClick={() => put(null)}>
            {words.reset}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Bins of one's own widths, in the place of all other rungs. */
function Widths({ use }: { use(widths: number[]): void }) {
  const [text, setText] = useState("");
  const widths = readWidths(text);
  const fault = text.trim() && !widths ? words.widthsFault : null;
  return (
    <div class="inline-form">
      <Field label={words.widths} hint={words.widthsHint} fault={fault}>
        {(wiring) => (
          <input
            {...wiring}
            type="text"
            autocomplete="off"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => event.key === "Enter" && widths && use(widths)}
          />
        )}
      </Field>
      <Button small onClick={() => widths && use(widths)}>
        {words.useWidths}
      </Button>
    </div>
  );
}

/** Categories merged by hand, as one more rung. */
function Merge({ ladder, add }: { ladder: KeyLadder; add(source: unknown): void }) {
  const [open, setOpen] = useState(false);
  const [groups, setGroups] = useState<Group[]>([]);
  const detail = useAnswer("GET /api/ladders/variable", { name: ladder.key }, open);
  const step = groupsStep(ladder.key, groups);
  const press = () => {
    if (!step) return;
    const { do: _, variable: __, ...rung } = step as { do: string; variable: string };
    add(rung);
    setGroups([]);
  };
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.merge}</summary>
      {open && (
        <Waiting answer={detail}>
          {(found) => (
            <div class="stack">
              <GroupTable detail={found} groups={groups} onChange={setGroups} />
              {found.categories.length > 0 && (
                <div class="buttons">
                  <Button small blocked={step ? null : words.needGroup} onClick={press}>
                    {words.addRung}
                  </Button>
                </div>
              )}
            </div>
          )}
        </Waiting>
      )}
    </details>
  );
}
