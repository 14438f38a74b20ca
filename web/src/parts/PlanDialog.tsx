import { useState } from "preact/hooks";
import type { SavedPlan } from "../api";
import { ask, Refusal } from "../client";
import { openPlan, planDialog, type PlanWay } from "../plans";
import { study } from "../state";
import { texts } from "../texts";
import { Browser, type Place } from "./Browser";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { Field } from "./Field";
import { Notice } from "./Notice";
import { PlanTexts } from "./PlanTexts";
import { Tabs } from "./Tabs";

const words = texts.plans;

/** Save the plan, open another, or look at it, from wherever one is. */
export function PlanDialog() {
  const way = planDialog.value;
  if (!way) return null;
  return (
    <Dialog title={words.title} onClose={() => (planDialog.value = null)} wide>
      <Tabs<PlanWay>
        label={words.waysLabel}
        options={words.ways}
        value={way}
        onChange={(next) => (planDialog.value = next)}
      >
        {way === "open" ? <OpenPlan /> : <Present way={way} />}
      </Tabs>
    </Dialog>
  );
}

function Present({ way }: { way: Exclude<PlanWay, "open"> }) {
  if (!study.value!.scenarios.length) return <p class="hint">{words.none}</p>;
  return way === "save" ? <Save /> : <PlanTexts />;
}

function OpenPlan() {
  const [place, setPlace] = useState<Place>({ folder: 0, path: "" });
  return (
    <>
      <p class="hint">{words.intro}</p>
      {study.value!.scenarios.length > 0 && <Notice tone="info">{words.replaces}</Notice>}
      <Browser place={place} onPlace={setPlace} onFile={(file) => void openPlan(file)} files="plan" />
    </>
  );
}

function Save() {
  const [place, setPlace] = useState<Place>({ folder: 0, path: "" });
  const [name, setName] = useState("plan.toml");
  const [scripts, setScripts] = useState(false);
  const [saved, setSaved] = useState<SavedPlan | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const there = refusal?.problem.names ?? [];
  const save = async (overwrite: boolean) => {
    setSaved(null);
    setRefusal(null);
    try {
      setSaved(await ask("POST /api/plan/save", { body: { ...place, plan: name.trim(), scripts, overwrite } }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setRefusal(error);
    }
  };
  return (
    <>
      <p class="hint">{words.intro}</p>
      <Browser place={place} onPlace={setPlace} />
      <Field label={words.name} hint={words.nameHint}>
        {(wiring) => (
          <input {...wiring} type="text" value={name} onInput={(event) => setName(event.currentTarget.value)} />
        )}
      </Field>
      <label class="choice">
        <input type="checkbox" checked={scripts} onChange={(event) => setScripts(event.currentTarget.checked)} />
        <span>{words.scripts}</span>
      </label>
      {refusal && (
        <Notice tone="bad" title={there.length ? words.there(there.join(", ")) : refusal.problem.error} live>
          {there.length ? (
            <Button small onClick={() => void save(true)}>
              {words.replace}
            </Button>
          ) : (
            refusal.problem.remedy
          )}
        </Notice>
      )}
      {saved && (
        <Notice tone="good" live>
          {words.saved(saved.files, saved.folder)}
        </Notice>
      )}
      <div class="buttons">
        <Button kind="primary" onClick={() => void save(false)}>
          {words.save}
        </Button>
      </div>
    </>
  );
}
