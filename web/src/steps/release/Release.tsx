import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { ReleaseResult, ReleaseRequestInput } from "../../api";
import { download } from "../../download";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { Notice } from "../../parts/Notice";
import { Card, Heading } from "../../parts/Page";
import { Waiting } from "../../parts/Waiting";
import { act, go, problem, released, said, study } from "../../state";
import { texts } from "../../texts";
import { Files, usualFiles } from "./Files";
import { PolicyForm } from "./PolicyForm";
import { VerdictTable } from "./VerdictTable";
import { Scroll } from "../../parts/Scroll";

const words = texts.release;

export function Release() {
  const now = study.value!;
  const pending = now.steps.length - now.confirmed;
  const policyKey = JSON.stringify(now.policy);
  return (
    <>
      <Heading title={words.title}>{words.intro}</Heading>
      {released.value && <Written done={released.value} />}
      <div class="columns">
        <PolicyForm key={policyKey} />
        <Judged key={`verdicts ${policyKey}`} policy={policyKey} />
      </div>
      {pending > 0 && (
        <Notice tone="warn" title={words.unconfirmed}>
          <Button small onClick={() => go("compare")}>
            {texts.steps.compare}
          </Button>
        </Notice>
      )}
      {now.steps.length === 0 && <Notice tone="warn">{words.unchanged}</Notice>}
      <Write blocked={pending > 0 ? words.unconfirmed : null} />
      <PlanTexts />
    </>
  );
}

/** Verdicts on the present state. */
function Judged({ policy }: { policy: string }) {
  const answer = useAnswer("GET /api/verdicts", null, true, policy);
  return (
    <Card title={words.verdicts.title}>
      <Waiting answer={answer}>{(found) => <VerdictTable verdicts={found.verdicts} editable />}</Waiting>
    </Card>
  );
}

function Write({ blocked }: { blocked: string | null }) {
  const [files, setFiles] = useState<ReleaseRequestInput>(() => usualFiles(study.value!));
  const [taken, setTaken] = useState<readonly string[]>([]);
  const write = async (overwrite: boolean) => {
    setTaken([]);
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
    } else problem.value = { error: words.refused };
  };
  return (
    <>
      <Files files={files} onChange={setFiles} />
      <footer>
        <Button onClick={() => go("compare")}>{texts.back(texts.steps.compare)}</Button>
        <span class="buttons">
          <Button kind="primary" blocked={blocked} onClick={() => void write(false)}>
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
      {done.verdicts.length > 0 && <VerdictTable verdicts={done.verdicts} />}
      {done.notices.map((each, i) => (
        <Notice key={i} tone="warn" children={each.text} />
      ))}
    </section>
  );
}

function PlanTexts() {
  const answer = useAnswer("GET /api/plan", null, true, JSON.stringify(study.value!.policy));
  return (
    <Card title={words.texts.title}>
      <Waiting answer={answer}>
        {({ plan, script }) => (
          <>
            <div class="buttons">
              <Button onClick={() => download("plan.toml", plan)}>{words.texts.plan}</Button>
              <Button onClick={() => download("plan.py", script)}>{words.texts.script}</Button>
            </div>
            <details>
              <summary>{words.texts.show}</summary>
              <pre tabIndex={0}>{plan}</pre>
            </details>
          </>
        )}
      </Waiting>
    </Card>
  );
}
