import { useState } from "preact/hooks";
import { FORMS, type FileInfo, type SavedSession } from "../../api";
import { count, size } from "../../numbers";
import { Browser, type Place } from "../../parts/Browser";
import { Button } from "../../parts/Button";
import { Notice } from "../../parts/Notice";
import { Card, Figures, Heading } from "../../parts/Page";
import { planDialog } from "../../plans";
import { change, go, study } from "../../state";
import { texts } from "../../texts";
import { Choice } from "../variables/ReadingCard";
import { JoinCard } from "./JoinCard";
import { VariableTable } from "./VariableTable";

const { reading } = texts.variables;

export function Open() {
  const now = study.value!;
  const [choosing, setChoosing] = useState(false);
  const [place, setPlace] = useState<Place>({ folder: 0, path: "" });
  const [comment, setComment] = useState("");
  const open = async (file: Place) => {
    if (await change("POST /api/open", { body: { ...file, comment } })) setChoosing(false);
  };
  if (!now.file || choosing) {
    return (
      <>
        <Heading title={texts.open.title}>{texts.open.intro}</Heading>
        <Card>
          <Browser place={place} onPlace={setPlace} onFile={(file) => void open(file)} />
          <details>
            <summary>{texts.open.comments}</summary>
            <Choice
              label={FORMS.reading.comment.label}
              none={reading.none}
              options={reading.comments}
              value={comment}
              onChange={setComment}
            />
          </details>
        </Card>
        <Demo />
        <div class="buttons">
          <Button onClick={() => (planDialog.value = "open")}>{texts.open.plan}</Button>
        </div>
        {now.file && (
          <div class="buttons">
            <Button onClick={() => setChoosing(false)}>{texts.open.keep}</Button>
          </div>
        )}
      </>
    );
  }
  return (
    <>
      <Heading title={now.file.name} />
      {now.saved && <Resume saved={now.saved} />}
      <FileCard file={now.file} variables={now.names.length} />
      {now.notices.map((each, i) => (
        <Notice key={i} tone="info" children={each.text} />
      ))}
      <JoinCard file={now.file} names={now.names} />
      <VariableTable />
      <footer>
        <Button onClick={() => setChoosing(true)}>{texts.open.another}</Button>
        <span class="buttons">
          <Button onClick={() => go("variables")}>{texts.open.describe}</Button>
          <Button kind="primary" onClick={() => go("scenario")}>
            {texts.next(texts.steps.scenario)}
          </Button>
        </span>
      </footer>
    </>
  );
}

function Demo() {
  return (
    <Notice tone="info">
      {texts.open.demoHint}{" "}
      <Button small onClick={() => void change("POST /api/demo", {})}>
        {texts.open.demo}
      </Button>
    </Notice>
  );
}

function Resume({ saved }: { saved: SavedSession }) {
  const resume = async () => {
    if (await change("POST /api/resume", {})) go(saved.steps ? "protect" : saved.keys.length ? "risk" : "variables");
  };
  return (
    <Notice tone="info" title={texts.open.resume(saved.steps, saved.keys.join(", "), saved.declared)}>
      <span class="buttons">
        <Button kind="primary" small onClick={() => void resume()}>
          {texts.open.resumeNow}
        </Button>
        <span class="hint">{texts.open.resumeHint}</span>
      </span>
    </Notice>
  );
}

function FileCard({ file, variables }: { file: FileInfo; variables: number }) {
  const { facts } = texts.open;
  return (
    <Card class="aside" title={texts.open.opened}>
      <Figures
        figures={[
          { name: facts.records, value: count(file.records) },
          { name: facts.variables, value: count(variables) },
          { name: facts.size, value: size(file.size) },
        ]}
      />
      {file.joined && <p>{texts.open.join.done(file.joined)}</p>}
      <p class="hint">
        {facts.folder} <code>{file.folder}</code>
        <br />
        {facts.sha256} <code>{file.sha256}</code>
      </p>
    </Card>
  );
}
