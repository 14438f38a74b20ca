import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { FileMetadata, VariableProfile } from "../../api";
import { Button } from "../../parts/Button";
import { Notice } from "../../parts/Notice";
import { Heading } from "../../parts/Page";
import { Waiting } from "../../parts/Waiting";
import { act, fileKey, go, said as say, take } from "../../state";
import { texts } from "../../texts";
import { CodebookCard } from "./CodebookCard";
import { changesIn, draftOf, kept, NOTHING, withSaid, type Draft } from "./draft";
import { Proposals } from "./Proposals";
import { ReadingCard } from "./ReadingCard";
import { VariableEditor } from "./VariableEditor";
import { VariableList } from "./VariableList";

const words = texts.variables;

/** How the file is read, and what each variable is. */
export function Variables() {
  const metadata = useAnswer("GET /api/metadata", null);
  const variables = useAnswer("GET /api/variables", null);
  return (
    <>
      <Heading title={words.title}>{words.intro}</Heading>
      <Waiting answer={metadata}>
        {(found) => (
          <Waiting answer={variables}>
            {(known) => <Describing key={fileKey.value} found={found} variables={known.variables} />}
          </Waiting>
        )}
      </Waiting>
    </>
  );
}

function Describing({ found, variables }: { found: FileMetadata; variables: readonly VariableProfile[] }) {
  const draft = draftOf(fileKey.value, found);
  const put = (part: Partial<Draft>) => (kept.value = { ...draftOf(fileKey.value, found), ...part });
  const [chosen, setChosen] = useState(found.proposals[0]?.name ?? variables[0]?.name ?? "");
  const [conflict, setConflict] = useState(false);
  const changes = changesIn(draft, found);
  const many = changes.names.length + (changes.reading ? 1 : 0);
  const apply = async (fresh: boolean) => {
    const edited = kept.value;
    const body = { reading: draft.reading, declarations: draft.said, fresh };
    const answer = await act("PUT /api/metadata", { body }, (refusal) => {
      if (refusal.status === 409) setConflict(true);
      return false;
    });
    if (!answer) return;
    const later = kept.value !== edited ? kept.value : null; // typed while the file was read
    take(answer);
    kept.value = later && { ...later, key: fileKey.value };
    say.value = words.applied;
  };
  const variable = variables.find((each) => each.name === chosen);
  return (
    <>
      <ReadingCard found={found} reading={draft.reading} onChange={(reading) => put({ reading })} />
      <CodebookCard onTake={(declarations) => put({ said: { ...draftOf(fileKey.value, found).said, ...declarations } })} />
      <Proposals proposals={found.proposals} said={draft.said} onTake={(said) => put({ said })} />
      <section class="card wide describing">
        <VariableList
          variables={variables}
          said={draft.said}
          changed={changes.names}
          chosen={chosen}
          onChoose={setChosen}
        />
        {variable && (
          <VariableEditor
            key={chosen}
            variable={variable}
            names={variables.map((each) => each.name)}
            said={draft.said[chosen] ?? NOTHING}
            onChange={(declaration) => put({ said: withSaid(draft.said, chosen, declaration) })}
          />
        )}
      </section>
      {conflict && many > 0 && (
        <Notice tone="warn" title={words.conflict}>
          <span class="buttons">
            <Button small onClick={() => void apply(true).then(() => setConflict(false))}>
              {words.startAgain}
            </Button>
            <Button small kind="quiet" onClick={() => setConflict(false)}>
              {words.keepWork}
            </Button>
          </span>
        </Notice>
      )}
      <footer>
        <Button onClick={() => go("open")}>{texts.back(texts.steps.open)}</Button>
        <span class="buttons">
          {many > 0 && (
            <Button kind="quiet" onClick={() => (kept.value = null)}>
              {words.discard}
            </Button>
          )}
          <Button kind={many ? "primary" : ""} blocked={many ? null : words.nothing} onClick={() => void apply(false)}>
            {words.apply(many)}
          </Button>
          <Button kind={many ? "" : "primary"} onClick={() => go("scenario")}>
            {texts.next(texts.steps.scenario)}
          </Button>
        </span>
      </footer>
    </>
  );
}
