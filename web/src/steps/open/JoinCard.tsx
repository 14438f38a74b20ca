import { useState } from "preact/hooks";
import type { FileInfo } from "../../api";
import { Browser, type Place } from "../../parts/Browser";
import { Field } from "../../parts/Field";
import { Card } from "../../parts/Page";
import { change, study } from "../../state";
import { texts } from "../../texts";

const words = texts.open.join;

/** Persons here, households elsewhere: choose the key, then the file. */
export function JoinCard({ file, names }: { file: FileInfo; names: readonly string[] }) {
  const [place, setPlace] = useState<Place>({ folder: 0, path: "" });
  const [key, setKey] = useState("");
  const on = key || (study.value?.roles.household ?? "");
  if (file.joined) return null;
  return (
    <Card>
      <details>
        <summary>{words.title}</summary>
        <p class="hint">{words.intro}</p>
        <Field label={words.on}>
          {(wiring) => (
            <select {...wiring} value={on} onChange={(event) => setKey(event.currentTarget.value)}>
              <option value="">{words.choose}</option>
              {names.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          )}
        </Field>
        {on && (
          <Browser
            place={place}
            onPlace={setPlace}
            onFile={(chosen) => void change("POST /api/join", { body: { ...chosen, on } })}
          />
        )}
      </details>
    </Card>
  );
}
