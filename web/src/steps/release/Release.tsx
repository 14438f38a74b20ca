import { useState } from "preact/hooks";
import { useAnswer, useDecided, type Answer } from "../../answer";
import type { ReleaseResult, ReleaseRequestInput, Verdict, Verdicts } from "../../api";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { Notice } from "../../parts/Notice";
import { Card, Heading } from "../../parts/Page";
import { PlanTexts } from "../../parts/PlanTexts";
import { Waiting } from "../../parts/Waiting";
import { act, change, dropped, go, problem, released, said, study } from "../../state";
import { texts } from "../../texts";
import { Intruders } from "../intruders/Intruders";
import { Gaps } from "../risk/Gaps";
import { Cover, tidy } from "./Cover";
import { Files, usualFiles } from "./Files";
import { Order } from "./Order";
import { PolicyForm } from "./PolicyForm";
import { Reports } from "./Reports";
import { VerdictTable, type Reasons } from "./VerdictTable";
import { nameOf } from "./verdicts";
import { Scroll } from "../../parts/Scroll";

const words = texts.release;

export function Release() {
  const now = study.value!;
  const pending = now.steps.length - now.confirmed;
  const policyKey = JSON.stringify(now.policy);
  const decisions = `${policyKey} ${JSON.stringify([now.keep, now.keep_order])}`;
  const judged = useAnswer("GET /api/verdicts", null, true, decisions);
  useDecided(judged.value);
  const open = judged.value?.open ?? [];
  const [files, setFiles] = useState<ReleaseRequestInput>(() => usualFiles(now));
  const [refused, setRefused] = useState<Refused>({ policy: "", verdicts: [] });
  const also = refused.policy === policyKey ? refused.verdicts : [];
  return (
    <>
      <Heading title={words.title}>{words.intro}</Heading>
      {released.value && <Written done={released.value} />}
      <Intruders when={judged.value !== null} />
      <Reports folder={files.folder ?? 0} path={files.path ?? ""} />
      <div class="columns wide-right">
        <PolicyForm key={dropped.value} />
        <Judged key={`verdicts ${dropped.value}`} answer={judged} also={also} />
      </div>
      {now.scenarios.map((each) => (
        <GapsOf key={each.name} scenario={each.name} />
      ))}
      {open.length > 0 && problem.value?.at !== "inventory" && (
        <Notice tone={now.policy.override.inventory ? "warn" : "bad"} title={words.undecided(open)}>
          {!now.policy.override.inventory && words.undecidedHint}{" "}
          <Button small onClick={() => go("inventory")}>
            {texts.goTo(texts.steps.inventory)}
          </Button>
        </Notice>
      )}
      {pending > 0 && (
        <Notice tone="warn" title={words.unconfirmed}>
          <Button small onClick={() => go("compare")}>
            {texts.steps.compare}
          </Button>
        </Notice>
      )}
      {now.steps.length === 0 && <Notice tone="warn">{words.unchanged}</Notice>}
      <Write
        blocked={pending > 0 ? words.unconfirmed : null}
        files={files}
        onFiles={setFiles}
        onRefused={(verdicts) => setRefused({ policy: policyKey, verdicts })}
      />
      <Card title={texts.plans.card}>
        <PlanTexts />
      </Card>
    </>
  );
}

/** Verdicts of a release that was refused, and the policy that they are about. */
interface Refused {
  readonly policy: string;
  readonly verdicts: readonly Verdict[];
}

/** Verdicts on the present state, and on the file as written where that was refused. */
function Judged({ answer, also }: { answer: Answer<Verdicts>; also: readonly Verdict[] }) {
  const { given_away } = study.value!.policy;
  const [reasons, setReasons] = useState<Reasons>({}); // here, as the table goes while it is made anew
  return (
    <Card title={words.verdicts.title}>
      <Waiting answer={answer}>
        {({ verdicts }) => {
          const rules = verdicts.map((each) => each.rule);
          const all = [...verdicts, ...also.filter((each) => !rules.includes(each.rule))];
          const later = given_away !== null && !all.some((each) => each.rule === "given_away");
          return (
            <>
              <VerdictTable verdicts={all} reasons={reasons} onReasons={setReasons} />
              {later && <p class="hint">{words.verdicts.later(nameOf("given_away"))}</p>}
            </>
          );
        }}
      </Waiting>
    </Card>
  );
}

/** What missing keys do to the figures of a scenario, before anybody confirms. */
function GapsOf({ scenario }: { scenario: string }) {
  const { value } = useAnswer("GET /api/risk", { scenario });
  return value && <Gaps found={value} />;
}

interface WriteProps {
  blocked: string | null;
  files: ReleaseRequestInput;
  onFiles(files: ReleaseRequestInput): void;
  onRefused(verdicts: readonly Verdict[]): void;
}

function Write({ blocked, files, onFiles, onRefused }: WriteProps) {
  const [cover, setCover] = useState(study.value!.cover);
  const coverChanged = JSON.stringify(tidy(cover)) !== JSON.stringify(study.value!.cover);
  const [taken, setTaken] = useState<readonly string[]>([]);
  const [keeping, setKeeping] = useState(study.value!.keep_order !== "");
  const unrecorded = keeping && !study.value!.keep_order ? words.order.needed : null;
  const saveCover = async () => {
    const saved = await change("PUT /api/cover", { body: tidy(cover) });
    if (saved) said.value = words.cover.saved;
    return saved;
  };
  const write = async (overwrite: boolean) => {
    setTaken([]);
    if (coverChanged && !(await saveCover())) return;
    const done = await act("POST /api/release", { body: { ...files, overwrite } }, (refusal) => {
      if (!refusal.problem.names?.length) return false;
      setTaken(refusal.problem.names);
      return true;
    });
    if (!done) return;
    if (done.allowed) {
      released.value = done;
      said.value = words.done(done.files.length);
      document.querySelector<HTMLElement>("h1")?.focus();
    } else if (done.open.length) {
      problem.value = { error: words.refusedUndecided, remedy: words.undecided(done.open), at: "inventory" };
    } else {
      const failed = done.verdicts.filter((each) => !each.met && !each.reason);
      onRefused(failed);
      problem.value = {
        error: words.refused([...new Set(failed.map((each) => nameOf(each.rule)))]),
        remedy: words.refusedHint,
      };
    }
  };
  return (
    <>
      <Files files={files} onChange={onFiles} />
      <Cover cover={cover} onChange={setCover} changed={coverChanged} onSave={() => void saveCover()} />
      <Order keeping={keeping} onKeeping={setKeeping} />
      <footer>
        <Button onClick={() => go("compare")}>{texts.back(texts.steps.compare)}</Button>
        <span class="buttons">
          <Button kind="primary" blocked={blocked ?? unrecorded} onClick={() => void write(false)}>
            {words.write}
          </Button>
        </span>
      </footer>
      {taken.length > 0 && (
        <Dialog
          title={words.overwriteTitle}
          onClose={() => setTaken([])}
          actions={
            <Button kind="primary" onClick={() => void write(true)}>
              {words.overwrite}
            </Button>
          }
        >
          <p>{words.overwriteText}</p>
          <ul>
            {taken.map((name) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}

function Written({ done }: { done: ReleaseResult }) {
  const { writtenHeads: heads } = words;
  return (
    <section class="card written" role="status">
      <h2>✓ {words.done(done.files.length)}</h2>
      <p>
        <code>{done.folder}</code>
      </p>
      <p class="hint">{words.doneText}</p>
      <Scroll label={words.done(done.files.length)}>
        <table>
          <thead>
            <tr>
              <th scope="col">{heads.file}</th>
              <th scope="col">{heads.sha256}</th>
            </tr>
          </thead>
          <tbody>
            {done.files.map((file) => (
              <tr key={file.name}>
                <th scope="row">{file.name}</th>
                <td>
                  <code>{file.sha256}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {done.verdicts.length > 0 && <VerdictTable verdicts={done.verdicts} title={texts.release.verdicts.written} />}
      {done.notices.map((each, i) => (
        <Notice key={i} tone="warn" children={each.text} />
      ))}
    </section>
  );
}
