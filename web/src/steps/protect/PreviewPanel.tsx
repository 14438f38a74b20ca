import { useState } from "preact/hooks";
import type { Answer } from "../../answer";
import type { Figures, PreviewFigures, StepInput, StepTaken } from "../../api";
import { NumberPictures } from "../../charts/NumberPictures";
import { count, figure, percent, plain, plural, ratePercent, signed } from "../../numbers";
import { BarTable } from "../../parts/BarTable";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { NumberEffects } from "../../parts/NumberEffects";
import { Notice } from "../../parts/Notice";
import { Waiting } from "../../parts/Waiting";
import { change, said } from "../../state";
import { texts } from "../../texts";
import { Distribution } from "../open/CategoryTable";

const words = texts.protect.preview;

interface Props {
  step: StepInput | null;
  preview: Answer<PreviewFigures>;
  onApplied?(): void;
  onCancel?(): void;
}

/** What a step would do, and the button that does it. */
export function PreviewPanel({ step, preview, onApplied, onCancel }: Props) {
  const [why, setWhy] = useState("");
  const apply = async () => {
    if (!step) return;
    const shown = preview.value?.step.words ?? "";
    if (await change("POST /api/steps", { body: { ...step, why } })) {
      said.value = texts.protect.applied(shown);
      setWhy((now) => (now === why ? "" : now)); // unless the next reason is being typed
      onApplied?.();
    }
  };
  return (
    <section class="preview" aria-label={words.title}>
      <h2>{words.title}</h2>
      {!step && <p class="hint">{words.none}</p>}
      <Waiting answer={preview} {...(onCancel ? { onCancel } : {})}>
        {(found) => <Shown found={found} />}
      </Waiting>
      {step && (
        <>
          <Field label={texts.why.label} hint={texts.why.hint}>
            {(wiring) => (
              <input
                {...wiring}
                type="text"
                value={why}
                onInput={(event) => setWhy(event.currentTarget.value)}
              />
            )}
          </Field>
          <div class="buttons">
            <Button
              kind="primary"
              blocked={preview.value || preview.refusal ? null : texts.protect.needPreview}
              onClick={() => void apply()}
            >
              {texts.protect.apply}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

function Shown({ found }: { found: PreviewFigures }) {
  // Of numbers, means and pictures say more than categories do.
  const numbers = found.numbers.map((each) => each.variable);
  return (
    <>
      <BeforeAfter before={found.before} after={found.after} />
      {found.step.step.do !== "suppress" && found.step.results.length > 0 && <Results found={found.step} />}
      {found.step.total > 0 && <Blanks found={found} />}
      {found.step.step.do === "suppress" && found.step.total === 0 && (
        <Notice tone="good">{words.noBlanks}</Notice>
      )}
      {found.step.stuck > 0 && (
        <Notice tone="bad">{texts.protect.history.stuck(plural(found.step.stuck, "record"))}</Notice>
      )}
      {found.step.leaning > 0 && (
        <Notice tone="warn">{texts.protect.history.leaning(plural(found.step.leaning, "record"))}</Notice>
      )}
      {found.notices.map((each) => (
        <Notice key={each.text} tone="warn" children={each.text} />
      ))}
      {found.numbers.length > 0 && <NumbersShown found={found} />}
      {found.information.map((each) => (
        <p key={each.variable}>
          <code>{each.variable}</code>:{" "}
          {!numbers.includes(each.variable) &&
            `${words.categories(count(each.categories_before), count(each.categories_after))}, `}
          {words.bits(plain(each.bits_before, 3), plain(each.bits_after, 3))}{" "}
          <span class="badge">{words.lost(percent(each.share_lost))}</span>
        </p>
      ))}
      {found.lost > 0 && found.fall > 0 && (
        <p class="hint">{words.worth(figure(found.fall, 3), plain(found.lost, 3))}</p>
      )}
      {found.variable && !numbers.includes(found.variable.name) && (
        <details>
          <summary>{words.result(found.variable.name)}</summary>
          <Distribution detail={found.variable} />
        </details>
      )}
    </>
  );
}

function NumbersShown({ found }: { found: PreviewFigures }) {
  const { correlations } = found;
  return (
    <>
      <NumberEffects numbers={found.numbers} slim />
      {correlations && (
        <p class="hint">{texts.numbers.largest(plain(correlations.largest, 3), correlations.where.join(", "))}</p>
      )}
      {found.pictures.map((each, i) => (
        <details key={each.name} open={i === 0}>
          <summary>{texts.numbers.pictures(each.name)}</summary>
          <NumberPictures drawing={each} slim />
        </details>
      ))}
    </>
  );
}

function Results({ found }: { found: StepTaken }) {
  return (
    <table>
      <caption class="hidden">{words.did}</caption>
      <thead>
        <tr>
          {words.didHeads.map((head) => (
            <th scope="col" key={head}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {found.results.map(([name, value], i) => (
          <tr key={i}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Blanks({ found }: { found: PreviewFigures }) {
  const { blanks, total, records } = found.step;
  const rows = Object.entries(blanks).sort((a, b) => b[1] - a[1]);
  return (
    <>
      <p>
        <strong>{plural(total, "value")}</strong> {words.inRecords(plural(records, "record"))}
      </p>
      <BarTable
        caption={words.blanks}
        quiet
        heads={[words.blanks, texts.open.records]}
        tone="unsafe"
        rows={rows.map(([key, value]) => ({ name: <code>{key}</code>, value, shown: count(value) }))}
      />
    </>
  );
}

type Row = readonly [string, string, string, string];

function riskRows(before: Figures, after: Figures, about: readonly [boolean, boolean]): Row[] {
  const rows: Row[] = [];
  if (before.unsafe !== null && after.unsafe !== null) {
    rows.push([
      words.unsafe,
      sign(about[0]) + count(before.unsafe),
      sign(about[1]) + count(after.unsafe),
      sign(about[0] || about[1]) + relative(before.unsafe, after.unsafe),
    ]);
  }
  return [
    ...rows,
    [
      words.expected,
      figure(before.expected, 4),
      figure(after.expected, 4),
      relative(before.expected, after.expected),
    ],
    [words.rate, ratePercent(before.rate), ratePercent(after.rate), relative(before.rate, after.rate)],
    [words.max, plain(before.max, 3), plain(after.max, 3), relative(before.max, after.max)],
  ];
}

/** Sample uniques, which are no evidence once keys were changed at random. */
function Uniques({ before, after }: Pick<BeforeAfterProps, "before" | "after">) {
  const [then, now] = [before.perturbed_by, after.perturbed_by];
  const old = count(before.sample_uniques);
  return (
    <tr>
      <th scope="row">{words.uniques}</th>
      {!then && <td class="number">{old}</td>}
      {now ? (
        <td class="number" colSpan={then ? 3 : 2}>
          {texts.risk.notMeaningful}
          <span class="under">{texts.risk.notAfter(now, count(after.sample_uniques))}</span>
        </td>
      ) : (
        <>
          <td class="number">{count(after.sample_uniques)}</td>
          <td class="number">{relative(before.sample_uniques, after.sample_uniques)}</td>
        </>
      )}
    </tr>
  );
}

const sign = (about: boolean) => (about ? "≈ " : "");

/** A change as a share of what was before: all figures of the column are relative. */
function relative(before: number, after: number): string {
  if (!before && after) return words.fromNone;
  return signed(before && (after - before) / before, (value) => percent(value));
}

interface BeforeAfterProps {
  before: Figures;
  after: Figures;
  /** Whether the counts of unsafe records are read off thinned curves, before and after. */
  approximate?: readonly [boolean, boolean];
}

export function BeforeAfter({ before, after, approximate = [false, false] }: BeforeAfterProps) {
  return (
    <table class="before-after">
      <caption class="hidden">{words.title}</caption>
      <thead>
        <tr>
          <th scope="col">{words.figure}</th>
          {[words.before, words.after, words.change].map((head) => (
            <th scope="col" class="number" key={head}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {riskRows(before, after, approximate).map(([name, ...values]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {values.map((value, i) => (
              <td class="number" key={i}>
                {value}
              </td>
            ))}
          </tr>
        ))}
        <Uniques before={before} after={after} />
      </tbody>
    </table>
  );
}
