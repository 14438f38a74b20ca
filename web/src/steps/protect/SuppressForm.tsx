import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { StepInput } from "../../api";
import { Button } from "../../parts/Button";
import { ByScenario } from "../../parts/ByScenario";
import { Checks, Switch } from "../../parts/Checks";
import { Choices } from "../../parts/Choices";
import { NumberInput } from "../../parts/NumberInput";
import { study } from "../../state";
import { texts } from "../../texts";
import { Families } from "./Families";
import { Linked } from "./Linked";
import { usePreview } from "./preview";
import { PreviewPanel } from "./PreviewPanel";
import { Prices } from "./Prices";
import { byRecord, lacking, metBy, startDraft, suppressStep, type SuppressDraft } from "./suppression";

const words = texts.protect.suppress;

interface PartProps {
  draft: SuppressDraft;
  put(part: Partial<SuppressDraft>): void;
}

/** Local suppression: what is unsafe, what is promised, what a blank costs, what is spared. */
export function SuppressForm() {
  const { scenarios } = study.value!;
  const [draft, setDraft] = useState<SuppressDraft>(() => startDraft(study.value!));
  const [step, setStep] = useState<StepInput | null>(null);
  const preview = usePreview(step);
  const change = (next: SuppressDraft) => {
    setDraft(next);
    setStep(null);
  };
  const put = (part: Partial<SuppressDraft>) => change({ ...draft, ...part });
  const take = (guarantee: SuppressDraft["guarantee"]) => {
    const next = { ...draft, guarantee };
    setDraft(next);
    setStep(suppressStep(next, scenarios));
  };
  const blocked = lacking(draft, scenarios);
  const met = metBy(draft, scenarios);
  const keys = [...new Set(met.flatMap((each) => each.keys))];
  return (
    <div class="editor follow">
      <div class="stack">
        <p class="hint">{words.intro}</p>
        {scenarios.length > 1 && (
          <Checks
            title={words.scenarios}
            hint={words.scenariosHint}
            options={scenarios.map((each) => each.name)}
            value={scenarios.map((each) => each.name).filter((name) => !draft.without.includes(name))}
            onChange={(kept) =>
              put({ without: scenarios.map((each) => each.name).filter((name) => !kept.includes(name)) })
            }
          />
        )}
        <Unsafe draft={draft} put={put} />
        <Households draft={draft} put={put} />
        <Choices
          title={words.guarantee}
          options={words.guarantees}
          value={draft.guarantee}
          onChange={(guarantee) => put({ guarantee })}
        />
        <Prices
          step={blocked ? null : suppressStep({ ...draft, guarantee: "own" }, scenarios)}
          chosen={draft.guarantee}
          onTake={take}
        />
        <Costs draft={draft} put={put} keys={keys} />
        <Fold title={words.spare} told={draft.spare.join(", ") || words.linked.none}>
          <Checks
            title={words.spare}
            hint={words.spareNone}
            code
            options={keys}
            value={draft.spare}
            onChange={(spare) => put({ spare })}
          />
        </Fold>
        <Linked keys={keys} linked={draft.linked} onChange={(linked) => put({ linked })} />
        <div class="buttons">
          <Button blocked={blocked} onClick={() => setStep(suppressStep(draft, scenarios))}>
            {words.preview}
          </Button>
          <span class="hint">{words.previewHint}</span>
        </div>
      </div>
      <PreviewPanel
        step={step}
        preview={preview}
        onApplied={() => setStep(null)}
        onCancel={() => setStep(null)}
      />
    </div>
  );
}

/** Which records are unsafe. */
function Unsafe({ draft, put }: PartProps) {
  const met = metBy(draft, study.value!.scenarios);
  const names = met.map((each) => each.name);
  const { homes, ...plain } = words.criteria;
  const options = met.some((each) => each.household) ? { ...plain, homes } : plain;
  return (
    <>
      <Choices<SuppressDraft["by"]>
        title={words.by}
        options={options as typeof words.criteria}
        value={draft.by}
        onChange={(by) => put({ by })}
      />
      {(draft.by === "risk" || draft.by === "both") && (
        <ByScenario
          label={words.limit}
          scenarios={names}
          value={draft.above}
          min={1e-9}
          max={1}
          onChange={(above) => put({ above: above ?? draft.above })}
        />
      )}
      {(draft.by === "k" || draft.by === "both") && <Rarity draft={draft} put={put} />}
    </>
  );
}

/** How many records must share which keys. */
function Rarity({ draft, put }: PartProps) {
  const met = metBy(draft, study.value!.scenarios);
  return (
    <>
      <ByScenario
        label={words.k}
        scenarios={met.map((each) => each.name)}
        value={draft.k}
        min={2}
        max={1e6}
        whole
        onChange={(k) => put({ k: k ?? draft.k })}
      />
      {draft.guarantee !== "view" && <Counted draft={draft} put={put} />}
    </>
  );
}

/** What is counted: records or people, who share all keys or some of them. */
function Counted({ draft, put }: PartProps) {
  const met = metBy(draft, study.value!.scenarios);
  const keys = [...new Set(met.flatMap((each) => each.keys))];
  const level = (key: string, value: number | null) => {
    const { [key]: _, ...others } = draft.levels;
    put({ levels: value === null ? others : { ...others, [key]: value } });
  };
  return (
    <>
      {met.some((each) => each.weight) && (
        <Switch
          label={words.people}
          hint={words.peopleHint}
          value={draft.people}
          onChange={(people) => put({ people })}
        />
      )}
      <Choices
        title={words.combine}
        options={words.combineOptions}
        value={draft.combine}
        onChange={(combine) => put({ combine })}
      />
      {draft.combine === "size" && (
        <NumberInput
          label={words.upTo}
          value={draft.upTo}
          min={1}
          max={keys.length}
          whole
          onChange={(upTo) => put({ upTo })}
        />
      )}
      {draft.combine === "levels" && (
        <div class="row many">
          {keys.map((key) => (
            <NumberInput
              key={key}
              label={<OfKey what={words.levelOf("")} name={key} />}
              value={draft.levels[key] ?? null}
              min={1}
              max={keys.length}
              whole
              optional
              onChange={(value) => level(key, value)}
              onEmpty={() => level(key, null)}
            />
          ))}
        </div>
      )}
    </>
  );
}

/** What is asked of households, and how their members lose values. */
function Households({ draft, put }: PartProps) {
  const homes = metBy(draft, study.value!.scenarios).filter((each) => each.household);
  if (!homes.length) return null;
  return (
    <>
      {byRecord(draft) && (
        <ByScenario
          label={words.household}
          hint={words.householdHint}
          scenarios={homes.map((each) => each.name)}
          value={draft.household}
          min={1e-9}
          max={1}
          optional
          onChange={(household) => put({ household })}
        />
      )}
      <Families scenarios={homes} limit={draft.household} />
      <Fold title={words.members} told={words.membersTold(draft.together, draft.joint)}>
        <Switch
          label={words.together}
          hint={words.togetherHint}
          value={draft.together}
          onChange={(together) => put({ together })}
        />
        {draft.guarantee === "own" && draft.together && (
          <Switch
            label={words.joint}
            hint={words.jointHint}
            value={draft.joint}
            onChange={(joint) => put({ joint })}
          />
        )}
      </Fold>
    </>
  );
}

/** What a blank costs, by key and by value. */
function Costs({ draft, put, keys }: PartProps & { keys: readonly string[] }) {
  return (
    <Fold title={words.costs} told={words.costOptions[draft.costKind][0]}>
      <Choices
        title={words.costs}
        options={words.costOptions}
        value={draft.costKind}
        onChange={(costKind) => put({ costKind })}
      />
      {draft.costKind === "own" && (
        <div class="row many">
          {keys.map((key) => (
            <NumberInput
              key={key}
              label={<OfKey what={words.costOf("")} name={key} />}
              value={draft.costs[key] ?? 1}
              min={1e-9}
              max={1e6}
              onChange={(cost) => put({ costs: { ...draft.costs, [key]: cost } })}
            />
          ))}
        </div>
      )}
      {byRecord(draft) && (
        <Switch
          label={words.byValue}
          hint={words.byValueHint}
          value={draft.byValue}
          onChange={(byValue) => put({ byValue })}
        />
      )}
    </Fold>
  );
}

/** What may be left alone, folded away, with what was chosen beside its name. */
function Fold({ title, told, children }: { title: string; told: string; children: ComponentChildren }) {
  return (
    <details>
      <summary>
        {title}: {told}
      </summary>
      <div class="stack">{children}</div>
    </details>
  );
}

function OfKey({ what, name }: { what: string; name: string }) {
  return (
    <>
      <span class="hidden">{what}</span>
      <code>{name}</code>
    </>
  );
}
