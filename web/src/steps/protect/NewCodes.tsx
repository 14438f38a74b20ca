import { Field } from "../../parts/Field";
import { NumberInput } from "../../parts/NumberInput";
import { texts } from "../../texts";
import { readParents, type RecodeDraft } from "./recoding";

const words = texts.protect.recode;

interface Props {
  draft: RecodeDraft;
  put(part: Partial<RecodeDraft>): void;
}

/** A classification: each code with its parents, typed or pasted from a spreadsheet. */
export function Parents({ draft, put }: Props) {
  const levels = readParents(draft.parents);
  const fault = draft.parents.trim() && !levels ? words.parentsFault : null;
  return (
    <>
      <Field label={words.parents} hint={words.parentsHint} fault={fault}>
        {(wiring) => (
          <textarea
            {...wiring}
            rows={6}
            value={draft.parents}
            onInput={(event) => put({ parents: event.currentTarget.value })}
          />
        )}
      </Field>
      {levels && levels.length > 1 && (
        <NumberInput
          label={words.level}
          hint={words.levelHint}
          value={draft.level}
          min={1}
          max={levels.length}
          whole
          optional
          onChange={(level) => put({ level })}
          onEmpty={() => put({ level: null })}
        />
      )}
    </>
  );
}

/** What new codes are called, folded away: usual ones are taken otherwise. */
export function NewCodes({ draft, put, missing }: Props & { missing: boolean }) {
  const line = (name: "names" | "other" | "missing") => (
    <Field label={words.codes[name]} hint={words.codes[`${name}Hint`]}>
      {(wiring) => (
        <input
          {...wiring}
          type="text"
          autocomplete="off"
          value={draft[name]}
          onInput={(event) => put({ [name]: event.currentTarget.value })}
        />
      )}
    </Field>
  );
  return (
    <details>
      <summary>{words.codes.title}</summary>
      <div class="stack">
        {draft.how === "bands" && line("names")}
        {(draft.how === "groups" || draft.how === "classification") && line("other")}
        {missing && line("missing")}
        <Field label={words.codes.labels} hint={words.codes.labelsHint}>
          {(wiring) => (
            <textarea
              {...wiring}
              rows={3}
              value={draft.labels}
              onInput={(event) => put({ labels: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
    </details>
  );
}
