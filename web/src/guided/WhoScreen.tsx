import type { GuideFigures } from "../api";
import { plain } from "../numbers";
import { Heading } from "../parts/Page";
import { texts } from "../texts";
import { Foot } from "./Foot";
import { decide } from "./state";

const words = texts.guide.who;

/** Decision 2: who gets the file, and who might look for a person by which keys. */
export function WhoScreen({ found }: { found: GuideFigures }) {
  const chosen = found.cards.find((each) => [...each.keys].sort().join() === [...found.keys].sort().join());
  const free = found.variables.filter((each) => each.place === "answer").map((each) => each.name);
  return (
    <>
      <Heading title={words.title}>{words.intro}</Heading>
      <fieldset class="options">
        <legend>{words.profiles}</legend>
        {found.profiles.map((each) => (
          <label key={each.name} class="option">
            <input
              type="radio"
              name="profile"
              checked={each.name === found.profile}
              onChange={() => void decide({ profile: each.name })}
            />
            <span>
              <strong>{each.who}</strong>
              <span class="under">{each.release_type}. {words.profile(plain(each.limit, 3), String(each.people))}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <fieldset class="options">
        <legend>{words.cards}</legend>
        {found.cards.map((each) => (
          <label key={each.name} class="option">
            <input
              type="radio"
              name="card"
              checked={each === chosen}
              onChange={() => void decide({ keys: each.keys })}
            />
            <span>
              <strong>{each.name}</strong>
              <span class="under">{each.why}</span>
            </span>
          </label>
        ))}
        {!chosen && (
          <label class="option">
            <input type="radio" name="card" checked />
            <span>
              <strong>{words.other}</strong>
              <span class="under">{words.otherWhy}</span>
            </span>
          </label>
        )}
      </fieldset>
      <section class="known" aria-label={words.keys}>
        <h2>{words.keys}</h2>
        <ul class="chips">
          {found.keys.map((key) => (
            <li key={key}>
              <span class="chip">
                {key}
                {found.keys.length > 2 && (
                  <button
                    type="button"
                    aria-label={words.remove(key)}
                    onClick={() => void decide({ keys: found.keys.filter((each) => each !== key) })}
                  >
                    ×
                  </button>
                )}
              </span>
            </li>
          ))}
        </ul>
        <select
          aria-label={words.add}
          value=""
          onChange={(event) => void decide({ keys: [...found.keys, event.currentTarget.value] })}
        >
          <option value="">{words.add} …</option>
          {free.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </section>
      <Foot />
    </>
  );
}
