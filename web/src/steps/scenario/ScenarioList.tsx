import { useAnswer } from "../../answer";
import type { ProposedScenario } from "../../api";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { Card } from "../../parts/Page";
import { study } from "../../state";
import { texts } from "../../texts";
import { added, blank, edited, lackingOf, madeOf, nameFault, removed, type Listed, type Scenarios } from "./list";

const words = texts.several.list;

interface Props {
  list: Scenarios;
  onChange(list: Scenarios): void;
}

/** All scenarios: one is in hand, others are added, copied and removed. */
export function ScenarioList({ list, onChange }: Props) {
  const { draft } = list.all[list.at]!;
  return (
    <Card
      title={words.title}
      aside={
        <Button small onClick={() => onChange(added(list, blank(list)))}>
          {words.add}
        </Button>
      }
    >
      <p class="hint">{words.intro}</p>
      <ul class="scenarios" aria-label={words.title}>
        {list.all.map((each, place) => (
          <Entry key={place} each={each} place={place} list={list} onChange={onChange} />
        ))}
      </ul>
      {list.at > 0 && (
        <Field label={words.name} hint={words.nameHint} fault={nameFault(list)}>
          {(wiring) => (
            <input
              {...wiring}
              type="text"
              value={draft.name}
              onInput={(event) => onChange(edited(list, { ...draft, name: event.currentTarget.value }))}
            />
          )}
        </Field>
      )}
      <ReadyMade list={list} onChange={onChange} />
    </Card>
  );
}

function Entry({ each, place, list, onChange }: Props & { each: Listed; place: number }) {
  const { draft, origin } = each;
  const known = [
    draft.keys.join(", ") || words.noKeys,
    ...(draft.household ? [words.home(draft.household)] : []),
    words.by(draft.estimator),
  ];
  return (
    <li>
      <button
        type="button"
        class="pick"
        aria-pressed={place === list.at}
        onClick={() => onChange({ ...list, at: place })}
      >
        <strong>{draft.name || words.unnamed}</strong>
        {origin === null && <span class="badge">{words.unsaved}</span>}
        <span class="under">{known.join(" · ")}</span>
      </button>
      <span class="buttons">
        <Button small kind="quiet" onClick={() => onChange(added(list, draft))} more={words.of(draft.name)}>
          {words.copy}
        </Button>
        {place > 0 && (
          <Button small kind="quiet" onClick={() => onChange(removed(list, place))} more={words.of(draft.name)}>
            {words.remove}
          </Button>
        )}
      </span>
    </li>
  );
}

/** Scenarios proposed by what the keys of the file are about. */
function ReadyMade({ list, onChange }: Props) {
  const { value } = useAnswer("GET /api/scenarios/proposed", null);
  const found = value ? lackingOf(list, value.scenarios, study.value!.names) : [];
  if (!found.length) return null;
  const ready = texts.several.ready;
  const put = (each: ProposedScenario) => onChange(added(list, madeOf(list, each)));
  return (
    <section class="ready" aria-label={ready.title}>
      <h3>{ready.title}</h3>
      <ul class="scenarios">
        {found.map((each) => (
          <li key={each.name}>
            <span class="pick">
              <strong>{each.name}</strong>
              <span class="under">{each.keys.join(", ")}</span>
              <span class="under">{each.why}</span>
            </span>
            <span class="buttons">
              <Button small onClick={() => put(each)} more={each.name}>
                {ready.add}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
