import { Fragment } from "preact";
import { useState } from "preact/hooks";
import type { KeyLadder } from "../../api";
import { Term } from "../../parts/Glossary";
import { NumberInput } from "../../parts/NumberInput";
import { Scroll } from "../../parts/Scroll";
import { study } from "../../state";
import { texts } from "../../texts";
import { draft, weightOf } from "./draft";
import { Rungs, shownRungs } from "./Rungs";

const words = texts.propose.ladders;

interface Props {
  suggested: readonly KeyLadder[];
  /** With what was edited, once the server has told. */
  edited: readonly KeyLadder[];
}

/** Every key: its ladder, how much it matters, and whether it is left alone. */
export function Ladders({ suggested, edited }: Props) {
  const [open, setOpen] = useState<string | null>(null);
  const { heads } = words;
  return (
    <Scroll label={words.title}>
      <table class="ladders">
        <caption class="hidden">{words.title}</caption>
        <thead>
          <tr>
            <th scope="col">{heads.key}</th>
            <th scope="col">
              <Term name="ladder">{heads.ladder}</Term>
            </th>
            <th scope="col">{heads.matters}</th>
            <th scope="col">{heads.spare}</th>
          </tr>
        </thead>
        <tbody>
          {suggested.map((each) => (
            <Fragment key={each.key}>
              <Row ladder={each} open={open === each.key} toggle={() => setOpen(open === each.key ? null : each.key)} />
              {open === each.key && (
                <tr class="detail">
                  <td colSpan={4}>
                    <Rungs ladder={each} edited={edited.find((one) => one.key === each.key)} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Row({ ladder, open, toggle }: { ladder: KeyLadder; open: boolean; toggle(): void }) {
  const { spare, utility, ladders } = draft.value;
  const { key, label, counted } = ladder;
  const spared = spare.includes(key);
  const put = (value: boolean) => draft.put({ spare: value ? [...spare, key] : spare.filter((each) => each !== key) });
  return (
    <tr>
      <th scope="row">
        {counted || spared ? (
          <code>{key}</code>
        ) : (
          <button type="button" class="fold" aria-expanded={open} onClick={toggle}>
            <span aria-hidden="true">{open ? "▾" : "▸"}</span> <code>{key}</code>
          </button>
        )}
        {label && <span class="under">{label}</span>}
      </th>
      <td>
        {counted ? (
          <span class="hint">{words.counted}</span>
        ) : spared ? (
          <span class="hint">{words.spared}</span>
        ) : (
          <Summary ladder={ladder} mine={ladders[key]} />
        )}
      </td>
      <td class="matters">
        {!counted && (
          <NumberInput
            label={<span class="hidden">{words.matters(key)}</span>}
            value={utility[key] ?? (study.value ? weightOf(key, study.value) : 1)}
            min={0}
            max={1e6}
            onChange={(weight) => draft.put({ utility: { ...utility, [key]: weight } })}
          />
        )}
      </td>
      <td class="spare">
        {!counted && (
          <input
            type="checkbox"
            aria-label={words.spare(key)}
            checked={spared}
            onChange={(event) => put(event.currentTarget.checked)}
          />
        )}
      </td>
    </tr>
  );
}

/** The rungs in a line, from fine to broad. */
function Summary({ ladder, mine }: { ladder: KeyLadder; mine: readonly unknown[] | undefined }) {
  const rungs = shownRungs(ladder, mine, undefined).filter((each) => each.allowed);
  if (!rungs.length) {
    return <span class="hint">{ladder.rungs.length ? words.noneAllowed : words.nothing}</span>;
  }
  return (
    <>
      {words.categories(ladder.categories)} → {rungs.map((each) => each.words).join(" → ")}
      {mine && <span class="badge">{words.edited}</span>}
    </>
  );
}
