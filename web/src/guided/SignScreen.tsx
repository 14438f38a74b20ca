import { useState } from "preact/hooks";
import { useAnswer } from "../answer";
import type { GuideFigures, ReleaseResult } from "../api";
import { plain } from "../numbers";
import { Button } from "../parts/Button";
import { Field } from "../parts/Field";
import { Notice } from "../parts/Notice";
import { Heading } from "../parts/Page";
import { Waiting } from "../parts/Waiting";
import { act, change, problem, released, said, study } from "../state";
import { IntruderTable } from "../steps/intruders/Intruders";
import { usualFiles } from "../steps/release/Files";
import { Reports } from "../steps/release/Reports";
import { nameOf } from "../steps/release/verdicts";
import { texts } from "../texts";
import { Foot } from "./Foot";

const words = texts.guide.sign;

/** Decision 5: everything in words, who signs, and the files. */
export function SignScreen({ found }: { found: GuideFigures }) {
  const now = study.value!;
  const [cover, setCover] = useState(now.cover);
  const [taken, setTaken] = useState<readonly string[]>([]);
  const judged = useAnswer("GET /api/verdicts", null, true, JSON.stringify([now.policy, now.keep]));
  const usual = found.profiles.find((each) => each.name === found.profile)!;
  const left = found.variables.filter((each) => each.place === "out").length + (found.household_left_out ? 1 : 0);
  const files = usualFiles(now);
  const write = async (overwrite: boolean) => {
    setTaken([]);
    if (JSON.stringify(cover) !== JSON.stringify(study.value!.cover) && !(await change("PUT /api/cover", { body: cover }))) return;
    const done = await act("POST /api/release", { body: { ...files, overwrite } }, (refusal) => {
      setTaken(refusal.problem.names ?? []);
      return Boolean(refusal.problem.names?.length);
    });
    if (done?.allowed) {
      released.value = done;
      said.value = words.written(done.folder);
    } else if (done) {
      const rules = done.verdicts.filter((each) => !each.met && !each.reason).map((each) => nameOf(each.rule));
      problem.value = { error: texts.release.refused([...new Set(rules)]), remedy: words.hint };
    }
  };
  const failing = judged.value && !judged.value.allowed;
  return (
    <>
      <Heading title={words.title}>{words.intro}</Heading>
      <section class="card">
        <p>
          <strong>{words.goes(usual.who, usual.release_type, plain(usual.limit, 3))}</strong> {words.left(left)}
        </p>
        <Waiting answer={judged}>
          {({ verdicts, allowed }) =>
            allowed ? (
              <p>
                <span class="badge good">✓ {words.met}</span>
              </p>
            ) : (
              <Notice tone="bad" title={words.notMet}>
                {[...new Set(verdicts.filter((each) => !each.met && !each.reason).map((each) => nameOf(each.rule)))].join("; ")}. {words.hint}
              </Notice>
            )
          }
        </Waiting>
        {judged.value && <SafeAgainst />}
        <details>
          <summary>{words.done}</summary>
          <ol class="plan-steps">
            {found.steps.map((each, i) => (
              <li key={i}>{each}</li>
            ))}
          </ol>
        </details>
      </section>
      <div class="row">
        {(["institution", "survey"] as const).map((name) => (
          <Field key={name} label={words.fields[name]}>
            {(wiring) => (
              <input
                {...wiring}
                type="text"
                value={cover[name]}
                onInput={(event) => setCover({ ...cover, [name]: event.currentTarget.value })}
              />
            )}
          </Field>
        ))}
        <Field label={words.fields.signatory}>
          {(wiring) => (
            <input
              {...wiring}
              type="text"
              value={cover.signatories[0] ?? ""}
              onInput={(event) => setCover({ ...cover, signatories: [event.currentTarget.value].filter(Boolean) })}
            />
          )}
        </Field>
      </div>
      {released.value && <Done done={released.value} />}
      <Reports folder={files.folder ?? 0} path={files.path ?? ""} />
      {taken.length > 0 && (
        <Notice tone="warn" title={words.taken(taken.join(", "))}>
          <Button small onClick={() => void write(true)}>
            {words.replace}
          </Button>
        </Notice>
      )}
      <Foot
        label={words.write}
        waits={judged.value ? (failing ? words.notMet.replace(":", ".") : null) : words.judging}
        onClick={() => void write(false)}
      />
    </>
  );
}

/** Against whom the file is safe, in a sentence, and the table of all intruders. */
function SafeAgainst() {
  const found = useAnswer("GET /api/intruders", null, true, JSON.stringify(study.value!.policy));
  return (
    <Waiting answer={found}>
      {({ verdict, rows }) => (
        <>
          <p>{verdict}</p>
          <details>
            <summary>{texts.intruders.title}</summary>
            <IntruderTable rows={rows.filter((each) => !each.not_tried)} title={texts.intruders.title} several={false} />
          </details>
        </>
      )}
    </Waiting>
  );
}

function Done({ done }: { done: ReleaseResult }) {
  return (
    <Notice tone="good" title={words.written(done.folder)}>
      {done.files.map((file) => file.name).join(", ")}
    </Notice>
  );
}
