import { useState } from "preact/hooks";
import type { StepInput, Suppress } from "../../api";
import { Button } from "../../parts/Button";
import { Choices } from "../../parts/Choices";
import { NumberInput } from "../../parts/NumberInput";
import { study } from "../../state";
import { texts } from "../../texts";
import { usePreview } from "./preview";
import { PreviewPanel } from "./PreviewPanel";
import { keysOf } from "./VariableChoice";

const words = texts.protect.suppress;

type CostKind = keyof typeof words.costOptions;
type Combine = keyof typeof words.combineOptions;

interface Wishes {
  by: "risk" | "k";
  above: number;
  k: number;
  combine: Combine;
  upTo: number | null;
  levels: Readonly<Record<string, number>>;
  household: number | null;
  guarantee: Suppress["guarantee"];
  costKind: CostKind;
  costs: Readonly<Record<string, number>>;
  spare: readonly string[];
}

/** The step that the wishes amount to. */
function stepOf(wishes: Wishes): StepInput {
  return {
    do: "suppress",
    ...(wishes.by === "risk" ? { above: wishes.above } : { k: wishes.k, ...combinationsOf(wishes) }),
    household: wishes.guarantee === "shared" ? null : wishes.household,
    guarantee: wishes.guarantee,
    costs: wishes.costKind === "equal" ? null : wishes.costKind === "entropy" ? "entropy" : wishes.costs,
    spare: wishes.spare,
  };
}

/** Which combinations of keys must not be rare. */
function combinationsOf({ combine, upTo, levels }: Wishes): Pick<Suppress, "up_to"> | Pick<Suppress, "levels"> {
  return combine === "levels" ? { levels } : { up_to: combine === "size" ? upTo : null };
}

/** Local suppression: what is unsafe, what is promised, what a blank costs, what is spared. */
export function SuppressForm() {
  const now = study.value!;
  const keys = [...keysOf()];
  const households = now.scenarios.some((each) => each.household);
  const [wishes, setWishes] = useState<Wishes>({
    by: "risk",
    above: now.limit ?? now.policy.record_risk ?? 0.01,
    k: now.policy.k ?? 3,
    combine: "all",
    upTo: Math.min(2, keys.length),
    levels: {},
    household: households ? (now.household_limit ?? now.policy.household_risk) : null,
    guarantee: "own",
    costKind: "equal",
    costs: {},
    spare: [],
  });
  const [step, setStep] = useState<StepInput | null>(null);
  const preview = usePreview(step);
  const put = (part: Partial<Wishes>) => {
    setWishes({ ...wishes, ...part });
    setStep(null);
  };
  const noLevels = wishes.by === "k" && wishes.combine === "levels" && !Object.keys(wishes.levels).length;
  const blocked = keys.every((key) => wishes.spare.includes(key))
    ? words.allSpared
    : noLevels
      ? words.noLevels
      : null;
  return (
    <div class="editor">
      <div class="stack">
        <p class="hint">{words.intro}</p>
        <Choices title={words.by} options={words.criteria} value={wishes.by} onChange={(by) => put({ by })} />
        {wishes.by === "risk" ? (
          <NumberInput
            label={words.limit}
            value={wishes.above}
            min={1e-9}
            max={1}
            onChange={(above) => put({ above })}
          />
        ) : (
          <Rarity keys={keys} wishes={wishes} put={put} />
        )}
        {households && wishes.guarantee !== "shared" && (
          <NumberInput
            label={words.household}
            hint={words.householdHint}
            value={wishes.household}
            min={1e-9}
            max={1}
            optional
            onChange={(household) => put({ household })}
            onEmpty={() => put({ household: null })}
          />
        )}
        <Choices
          title={words.guarantee}
          options={words.guarantees}
          value={wishes.guarantee}
          onChange={(guarantee) => put({ guarantee })}
        />
        <Costs keys={keys} wishes={wishes} put={put} />
        <Spared keys={keys} spare={wishes.spare} onChange={(spare) => put({ spare })} />
        <div class="buttons">
          <Button blocked={blocked} onClick={() => setStep(stepOf(wishes))}>
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

/** How many records must share which keys. */
function Rarity({ keys, wishes, put }: { keys: string[]; wishes: Wishes; put(part: Partial<Wishes>): void }) {
  const level = (key: string, value: number | null) => {
    const { [key]: _, ...others } = wishes.levels;
    put({ levels: value === null ? others : { ...others, [key]: value } });
  };
  return (
    <>
      <NumberInput label={words.k} value={wishes.k} min={2} max={1e6} whole onChange={(k) => put({ k })} />
      <Choices
        title={words.combine}
        options={words.combineOptions}
        value={wishes.combine}
        onChange={(combine) => put({ combine })}
      />
      {wishes.combine === "size" && (
        <NumberInput
          label={words.upTo}
          value={wishes.upTo}
          min={1}
          max={keys.length}
          whole
          onChange={(upTo) => put({ upTo })}
        />
      )}
      {wishes.combine === "levels" && (
        <div class="row">
          {keys.map((key) => (
            <NumberInput
              key={key}
              label={
                <>
                  <span class="hidden">{words.levelOf("")}</span>
                  <code>{key}</code>
                </>
              }
              value={wishes.levels[key] ?? null}
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

function Costs({ keys, wishes, put }: { keys: string[]; wishes: Wishes; put(part: Partial<Wishes>): void }) {
  return (
    <>
      <Choices
        title={words.costs}
        options={words.costOptions}
        value={wishes.costKind}
        onChange={(costKind) => put({ costKind })}
      />
      {wishes.costKind === "own" && (
        <div class="row">
          {keys.map((key) => (
            <NumberInput
              key={key}
              label={
                <>
                  <span class="hidden">{words.costOf("")}</span>
                  <code>{key}</code>
                </>
              }
              value={wishes.costs[key] ?? 1}
              min={1e-9}
              max={1e6}
              onChange={(cost) => put({ costs: { ...wishes.costs, [key]: cost } })}
            />
          ))}
        </div>
      )}
    </>
  );
}

function Spared({
  keys,
  spare,
  onChange,
}: {
  keys: string[];
  spare: readonly string[];
  onChange(spare: string[]): void;
}) {
  return (
    <fieldset>
      <legend>{words.spare}</legend>
      <div class="checks">
        {keys.map((key) => (
          <label class="choice" key={key}>
            <input
              type="checkbox"
              checked={spare.includes(key)}
              onChange={(event) =>
                onChange(event.currentTarget.checked ? [...spare, key] : spare.filter((each) => each !== key))
              }
            />
            <code>{key}</code>
          </label>
        ))}
      </div>
      <span class="hint">{words.spareNone}</span>
    </fieldset>
  );
}
