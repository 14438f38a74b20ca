import type { MissingProposal } from "../../api";
import { Button } from "../../parts/Button";
import { Notice } from "../../parts/Notice";
import { said as say } from "../../state";
import { texts } from "../../texts";
import { NOTHING, same, type Said } from "./draft";

const words = texts.variables.proposals;
const MOST = 8; // named one by one

interface Props {
  proposals: readonly MissingProposal[];
  said: Said;
  onTake(said: Said): void;
}

/** Words that look like missing among numbers: taken by one press each, or all at once. */
export function Proposals({ proposals, said, onTake }: Props) {
  const open = proposals.filter((each) => !same(taken(said, each), said[each.name] ?? NOTHING));
  if (!open.length) return null;
  const take = (some: readonly MissingProposal[]) => {
    onTake({ ...said, ...Object.fromEntries(some.map((each) => [each.name, taken(said, each)])) });
    say.value = words.taken(some.map((each) => each.name).join(", "));
  };
  return (
    <Notice tone="info" title={words.title(open.length)}>
      <ul class="proposals">
        {open.slice(0, MOST).map((each) => (
          <li key={each.name}>
            <span>
              <code>{each.name}</code>: {words.text(each.words.map((word) => `“${word}”`).join(", "), each.records)}
            </span>
            <Button small more={each.name} onClick={() => take([each])}>
              {words.take}
            </Button>
          </li>
        ))}
      </ul>
      {open.length > 1 && (
        <Button small kind="primary" onClick={() => take(open)}>
          {words.takeAll}
        </Button>
      )}
    </Notice>
  );
}

/** What is said of a variable once a proposal is taken; the rest of it stays. */
function taken(said: Said, { name, declaration }: MissingProposal) {
  const now = said[name] ?? NOTHING;
  return { ...now, type: now.type ?? declaration.type, missing: declaration.missing };
}
