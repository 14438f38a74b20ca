import { FORMS, type FileMetadata, type ReadingOptions } from "../../api";
import { Field } from "../../parts/Field";
import { OtherFields } from "../../parts/OptionFields";
import { Card } from "../../parts/Page";
import { TextInput } from "../../parts/TextInput";
import { texts } from "../../texts";
import { codesIn } from "./draft";

const words = texts.variables.reading;
const form = FORMS.reading;
const AUTO = "auto";
/** What has a place of its own. */
const PLACED = ["sheet", "encoding", "separator", "comment", "decimal", "thousands", "na"];

interface Props {
  found: FileMetadata;
  reading: ReadingOptions;
  onChange(reading: ReadingOptions): void;
}

/** Sheet, encoding, separator, marks and missing texts: only what the format has. */
export function ReadingCard({ found, reading, onChange }: Props) {
  const put = (part: Partial<ReadingOptions>) => onChange({ ...reading, ...part });
  const has = (option: FileMetadata["options"][number]) => found.options.includes(option);
  const whole = <Whole reading={reading} put={put} />;
  return (
    <Card title={words.title}>
      {found.options.length > 0 && (
        <div class="row">
          {has("sheet") && (
            <Choice
              label={form.sheet.label}
              none={words.first(found.sheets[0] ?? "")}
              options={Object.fromEntries(found.sheets.map((name) => [name, name]))}
              value={reading.sheet ?? ""}
              onChange={(sheet) => put({ sheet: sheet || null })}
            />
          )}
          {has("encoding") && (
            <Choice
              label={form.encoding.label}
              none={words.detected}
              options={words.encodings}
              value={reading.encoding ?? ""}
              onChange={(encoding) => put({ encoding: encoding || null })}
            />
          )}
          {has("separator") && (
            <Choice
              label={form.separator.label}
              none={words.detected}
              options={words.separators}
              value={reading.separator ?? ""}
              onChange={(separator) => put({ separator: separator || null })}
            />
          )}
          {has("comment") && (
            <Choice
              label={form.comment.label}
              none={words.none}
              options={words.comments}
              value={reading.comment ?? ""}
              onChange={(comment) => put({ comment: comment || null })}
            />
          )}
        </div>
      )}
      {found.options.length ? (
        whole
      ) : (
        <details open={Boolean(reading.decimal || reading.thousands || reading.na.length)}>
          <summary>{words.more}</summary>
          {whole}
        </details>
      )}
    </Card>
  );
}

/** What holds for the values of the whole file. */
function Whole({ reading, put }: { reading: ReadingOptions; put(part: Partial<ReadingOptions>): void }) {
  const auto = reading.na.includes(AUTO);
  const listed = reading.na.filter((each) => each !== AUTO);
  return (
    <div class="stack">
      <div class="row">
        <Choice
          label={form.decimal.label}
          none={words.asFile}
          options={words.decimals}
          value={reading.decimal ?? ""}
          onChange={(decimal) => put({ decimal: (decimal || null) as ReadingOptions["decimal"] })}
        />
        <Choice
          label={form.thousands.label}
          none={words.none}
          options={words.thousandsMarks}
          value={reading.thousands ?? ""}
          onChange={(thousands) => put({ thousands: thousands || null })}
        />
        <Field label={form.na.label} hint={words.naHint}>
          {(wiring) => (
            <TextInput
              wiring={wiring}
              value={listed.join(", ")}
              onChange={(text) => put({ na: [...codesIn(text), ...(auto ? [AUTO] : [])] })}
            />
          )}
        </Field>
      </div>
      <label class="choice">
        <input
          type="checkbox"
          checked={auto}
          onChange={(event) => put({ na: [...listed, ...(event.currentTarget.checked ? [AUTO] : [])] })}
        />
        <span>{words.auto}</span>
      </label>
      <OtherFields form="reading" but={PLACED} values={reading} onChange={put} />
    </div>
  );
}

interface ChoiceProps {
  label: string;
  none: string;
  options: Readonly<Record<string, string>>;
  value: string;
  onChange(value: string): void;
}

/** One of some, or what is found out; what is none of them is shown as it is. */
export function Choice({ label, none, options, value, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      {(wiring) => (
        <select {...wiring} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">{none}</option>
          {value && !(value in options) && <option value={value}>{value}</option>}
          {Object.entries(options).map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
