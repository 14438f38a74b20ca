import type { ReportCover } from "../../api";
import { LANGUAGES } from "../../api";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { Card } from "../../parts/Page";
import { texts } from "../../texts";

const words = texts.release.cover;
type Line = keyof typeof words.fields;
const hints: Partial<Record<Line, string>> = words.hints;
const languages = new Intl.DisplayNames(["en"], { type: "language" });

interface Props {
  cover: ReportCover;
  onChange(cover: ReportCover): void;
  /** Whether something is not saved yet. */
  changed: boolean;
  onSave(): void;
}

/** What stands on the cover of both reports, and their language. */
export function Cover({ cover, onChange, changed, onSave }: Props) {
  return (
    <Card title={words.title}>
      <p class="hint">{words.intro}</p>
      <div class="row roomy">
        {(Object.keys(words.fields) as Line[]).map((name) => (
          <Field key={name} label={words.fields[name]} hint={hints[name]}>
            {(wiring) => (
              <input
                {...wiring}
                type="text"
                value={cover[name]}
                onInput={(event) => onChange({ ...cover, [name]: event.currentTarget.value })}
              />
            )}
          </Field>
        ))}
        <Field label={words.language}>
          {(wiring) => (
            <select
              {...wiring}
              value={cover.language}
              onChange={(event) => onChange({ ...cover, language: event.currentTarget.value })}
            >
              {LANGUAGES.map((code) => (
                <option key={code} value={code}>
                  {languages.of(code)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Field label={words.signatories} hint={words.signatoriesHint}>
        {(wiring) => (
          <textarea
            {...wiring}
            value={cover.signatories.join("\n")}
            onInput={(event) => onChange({ ...cover, signatories: event.currentTarget.value.split("\n") })}
          />
        )}
      </Field>
      {changed && (
        <div class="buttons">
          <Button onClick={onSave}>{words.save}</Button>
        </div>
      )}
    </Card>
  );
}

/** A cover without stray spaces and empty lines. */
export function tidy(cover: ReportCover): ReportCover {
  const lines = Object.keys(words.fields).map((name) => [name, cover[name as Line].trim()]);
  const signatories = cover.signatories.map((each) => each.trim()).filter(Boolean);
  return { ...cover, ...Object.fromEntries(lines), signatories };
}
