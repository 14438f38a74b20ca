import { useState } from "preact/hooks";
import type { GuideFigures, ListedVariable } from "../api";
import { Button } from "../parts/Button";
import { Field } from "../parts/Field";
import { Heading } from "../parts/Page";
import { texts } from "../texts";
import { Foot } from "./Foot";
import { decide } from "./state";

const words = texts.guide.out;
type Place = ListedVariable["place"];
const PLACES = Object.keys(words.places) as Place[];

/** Decision 3: three lists, filled. */
export function OutScreen({ found }: { found: GuideFigures }) {
  const [asked, setAsked] = useState<ListedVariable | null>(null);
  const move = (row: ListedVariable, place: Place) => {
    if (place === "answer" && row.place === "out") setAsked(row);
    else void decide({ move: row.name, place });
  };
  return (
    <>
      <Heading title={words.title}>{words.intro}</Heading>
      {asked && <Reason row={asked} onDone={() => setAsked(null)} />}
      <div class="lists">
        {PLACES.map((place) => (
          <List
            key={place}
            place={place}
            rows={found.variables.filter((each) => each.place === place)}
            more={place === "out" && found.household_left_out ? words.household(found.household!) : null}
            onMove={move}
          />
        ))}
      </div>
      <Foot />
    </>
  );
}

interface ListProps {
  place: Place;
  rows: readonly ListedVariable[];
  more: string | null;
  onMove(row: ListedVariable, place: Place): void;
}

function List({ place, rows, more, onMove }: ListProps) {
  return (
    <section class="card list" aria-label={words.places[place]}>
      <h2>
        {words.places[place]} <span class="badge">{rows.length}</span>
      </h2>
      <p class="hint">{words.hints[place]}</p>
      <ul tabIndex={0} aria-label={words.places[place]}>
        {more && <li class="hint">{more}</li>}
        {rows.map((row) => (
          <li key={row.name}>
            <span>
              <code>{row.name}</code> {row.label}
              {row.why && <span class="under">{row.why}</span>}
            </span>
            <select
              aria-label={words.move(row.name)}
              value={place}
              onChange={(event) => onMove(row, event.currentTarget.value as Place)}
            >
              {PLACES.map((each) => (
                <option key={each} value={each}>
                  {words.places[each]}
                </option>
              ))}
            </select>
          </li>
        ))}
        {!rows.length && !more && <li class="hint">{words.empty}</li>}
      </ul>
    </section>
  );
}

/** A delicate variable goes out only with the reason of a person. */
function Reason({ row, onDone }: { row: ListedVariable; onDone(): void }) {
  const [why, setWhy] = useState("");
  const keep = async () => {
    if (await decide({ move: row.name, place: "answer", why })) onDone();
  };
  return (
    <div class="inline-form">
      <Field label={words.why(row.name)} hint={words.whyHint}>
        {(wiring) => <input {...wiring} type="text" value={why} onInput={(event) => setWhy(event.currentTarget.value)} />}
      </Field>
      <Button blocked={why.trim() ? null : " "} onClick={() => void keep()}>
        {words.keep}
      </Button>
      <Button kind="quiet" onClick={onDone}>
        {texts.cancel}
      </Button>
    </div>
  );
}
