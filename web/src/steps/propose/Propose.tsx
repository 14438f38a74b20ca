import { useRef } from "preact/hooks";
import { Button } from "../../parts/Button";
import { Notice } from "../../parts/Notice";
import { Card, Heading } from "../../parts/Page";
import { Waiting } from "../../parts/Waiting";
import { act, go, said, study } from "../../state";
import { texts } from "../../texts";
import { useLadders, useProposal } from "./answers";
import { draft, opened, proposal, requestOf, rulesOf } from "./draft";
import { Ladders } from "./Ladders";
import { Result, sentence } from "./Result";
import { Rules, Wishes } from "./Rules";

const words = texts.propose;

/** The cheapest way to the policy: what is asked, what may be done, and what was found. */
export function Propose() {
  const now = study.value!;
  const wish = draft.value;
  const edits = Object.keys(wish.ladders).length > 0;
  useProposal();
  const suggested = useLadders(NONE);
  const edited = useLadders(wish.ladders, edits);
  const result = useRef<HTMLElement>(null);
  const search = async () => {
    const body = requestOf(wish, now, suggested.value?.ladders ?? []);
    const found = await act("POST /api/propose", { body });
    if (!found) return;
    proposal.value = found;
    opened.value = found.best ?? found.nearest;
    said.value = sentence(found).join(" ");
    requestAnimationFrame(() => result.current?.focus());
  };
  const blocked = !Object.keys(rulesOf(wish, now)).length
    ? words.rules.none
    : edits && edited.refusal
      ? words.search.fix
      : suggested.value
        ? null
        : texts.loading;
  const found = proposal.value;
  return (
    <>
      <Heading title={words.title}>{words.intro}</Heading>
      <div class="columns">
        <Rules />
        <Wishes />
      </div>
      <Card title={words.ladders.title}>
        <p class="hint">{words.ladders.intro}</p>
        <Waiting answer={suggested}>
          {({ ladders }) => <Ladders suggested={ladders} edited={(edits && edited.value?.ladders) || []} />}
        </Waiting>
        {edits && edited.refusal && !edited.refusal.stopped && (
          <Notice tone="bad" title={words.ladders.fault} live>
            {edited.refusal.problem.error} {edited.refusal.problem.remedy}
          </Notice>
        )}
        <div class="buttons">
          <Button kind={found && !found.stale ? "" : "primary"} blocked={blocked} onClick={() => void search()}>
            {found ? words.search.again : words.search.run}
          </Button>
          {!blocked && <span class="hint">{words.search.hint}</span>}
        </div>
      </Card>
      {found && <Result found={found} heading={result} />}
      <footer>
        <Button onClick={() => go("risk")}>{texts.back(texts.steps.risk)}</Button>
        <span class="buttons">
          <Button onClick={() => go("protect")}>{texts.next(texts.steps.protect)}</Button>
          {now.proposed && (
            <Button kind="primary" onClick={() => go("inventory")}>
              {texts.next(texts.steps.inventory)}
            </Button>
          )}
        </span>
      </footer>
    </>
  );
}

const NONE = {};
