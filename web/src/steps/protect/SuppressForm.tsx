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

interface Fields {
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

/** The step that the fields describe. */
function stepOf(fields: Fields): StepInput {
  return {
    do: "suppress",
    ...(fields.by === "risk" ? { above: fields.above } : { k: fields.k, ...combinationsOf(fields) }),
    household: fields.guarantee === "shared" ? null : fields.household,
    guarantee: fields.guarantee,
    costs: fields.costKind === "equal" ? null : fields.costKind === "entropy" ? "entropy" : fields.costs,
    spare: fields.spare,
  };
}

/** Which combinations of keys must not be rare. */
function combinationsOf({ combine, upTo, levels }: Fields): Pick<Suppress, "up_to"> | Pick<Suppress, "levels"> {
  return combine === "levels" ? { levels } : { up_to: combine === "size" ? upTo : null };
}

/** Local suppression: what is unsafe, what is promised, what a blank costs, what is spared. */
export function SuppressForm() {
  const now = study.value!;
  const keys = [...keysOf()];
  const households = now.scenarios.some((each) => each.household);
  const [fields, setFields] = useState<Fields>({
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
  const put = (part: Partial<Fields>) => {
    setFields({ ...fields, ...part });
    setStep(null);
  };
  const noLevels = fields.by === "k" && fields.combine === "levels" && !Object.keys(fields.levels).length;
  const blocked = keys.every((key) => fields.spare.includes(key))
    ? words.allSpared
    : noLevels
      ? words.noLevels
      : null;
  return (
    <div class="editor">
      <div class="stack">
        <p class="hint">{words.intro}</p>
        <Choices title={words.by} options={words.criteria} value={fields.by} onChange={(by) => put({ by })} />
        {fields.by === "risk" ? (
          <NumberInput
            label={words.limit}
            value={fields.above}
            min={1e-9}
            max={1}
            onChange={(above) => put({ above })}
          />
        ) : (
          <Rarity keys={keys} fields={fields} put={put} />
        )}
        {households && fields.guarantee !== "shared" && (
          <NumberInput
            label={words.household}
            hint={words.householdHint}
            value={fields.household}
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
          value={fields.guarantee}
          onChange={(guarantee) => put({ guarantee })}
        />
        <Costs keys={keys} fields={fields} put={put} />
        <Spared keys={keys} spare={fields.spare} onChange={(spare) => put({ spare })} />
        <div class="buttons">
          <Button blocked={blocked} onClick={() => setStep(stepOf(fields))}>
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
function Rarity({ keys, fields, put }: { keys: string[]; fields: Fields; put(part: Partial<Fields>): void }) {
  const level = (key: string, value: number | null) => {
    const { [key]: _, ...others } = fields.levels;
    put({ levels: value === null ? others : { ...others, [key]: value } });
  };
  return (
    <>
      <NumberInput label={words.k} value={fields.k} min={2} max={1e6} whole onChange={(k) => put({ k })} />
      <Choices
        title={words.combine}
        options={words.combineOptions}
        value={fields.combine}
        onChange={(combine) => put({ combine })}
      />
      {fields.combine === "size" && (
        <NumberInput
          label={words.upTo}
          value={fields.upTo}
          min={1}
          max={keys.length}
          whole
          onChange={(upTo) => put({ upTo })}
        />
      )}
      {fields.combine === "levels" && (
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
              value={fields.levels[key] ?? null}
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

function Costs({ keys, fields, put }: { keys: string[]; fields: Fields; put(part: Partial<Fields>): void }) {
  return (
    <>
      <Choices
        title={words.costs}
        options={words.costOptions}
        value={fields.costKind}
        onChange={(costKind) => put({ costKind })}
      />
      {fields.costKind === "own" && (
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
              value={fields.costs[key] ?? 1}
              min={1e-9}
              max={1e6}
              onChange={(cost) => put({ costs: { ...fields.costs, [key]: cost } })}
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
