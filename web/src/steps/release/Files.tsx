import { useState } from "preact/hooks";
import { FORMS, type ReleaseRequestInput, type StudySummary } from "../../api";
import { Browser } from "../../parts/Browser";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { OtherFields } from "../../parts/OptionFields";
import { Card } from "../../parts/Page";
import { study } from "../../state";
import { texts } from "../../texts";

const words = texts.release.files;
const NAMES = ["file", "report", "public_report", "plan"] as const;
const fields: Record<(typeof NAMES)[number], { label: string; hint?: string }> = {
  file: labelled(FORMS.output.file),
  report: labelled(FORMS.output.report),
  public_report: labelled(FORMS.output.public_report),
  plan: { label: words.plan, hint: words.planHint },
};

function labelled({ label, help }: { label: string; help: string }) {
  return { label, hint: help };
}

export function usualFiles(now: StudySummary): ReleaseRequestInput {
  return {
    folder: 0,
    path: "release",
    file: now.file?.safe_name ?? "safe.csv",
    report: "report.html",
    public_report: "public.html",
    plan: "plan.toml",
    notes: false,
  };
}

interface Props {
  files: ReleaseRequestInput;
  onChange(files: ReleaseRequestInput): void;
}

/** Where to write, and under which names. */
export function Files({ files, onChange }: Props) {
  const [choosing, setChoosing] = useState(false);
  const put = (part: Partial<ReleaseRequestInput>) => onChange({ ...files, ...part });
  const folder = study.value!.folders[files.folder ?? 0] ?? "";
  return (
    <Card title={words.title}>
      <div class="inline-form">
        <Field label={words.path(folder)} hint={words.pathHint}>
          {(wiring) => (
            <input
              {...wiring}
              type="text"
              value={files.path ?? ""}
              onInput={(event) => put({ path: event.currentTarget.value })}
            />
          )}
        </Field>
        <Button onClick={() => setChoosing(!choosing)}>{choosing ? words.hide : words.choose}</Button>
      </div>
      {choosing && (
        <Browser
          place={{ folder: files.folder ?? 0, path: files.path ?? "" }}
          onPlace={({ folder: number, path }) => put({ folder: number, path })}
        />
      )}
      <div class="row">
        {NAMES.map((name) => (
          <Field key={name} {...fields[name]}>
            {(wiring) => (
              <input
                {...wiring}
                type="text"
                value={files[name] ?? ""}
                onInput={(event) => put({ [name]: event.currentTarget.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <OtherFields form="output" but={NAMES} values={files} onChange={put} />
    </Card>
  );
}
