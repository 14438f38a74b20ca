import { useState } from "preact/hooks";
import type { Bin, KeyShare, UniqueFigures } from "../../api";
import { count, figure, percent, plain } from "../../numbers";
import { BarTable } from "../../parts/BarTable";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { Term } from "../../parts/Glossary";
import { Notice } from "../../parts/Notice";
import { NumberInput } from "../../parts/NumberInput";
import { Figures } from "../../parts/Page";
import { study } from "../../state";
import { texts } from "../../texts";
import { Asked } from "./Asked";
import { saidCode } from "./rows";

const words = texts.closer.uniques;
const FEW = 10;

/** Special uniques: how many, how special, and which variables make them so. */
export function Uniques({ scenario }: { scenario: string }) {
  const { keys } = study.value!.scenarios.find((each) => each.name === scenario)!;
  const [size, setSize] = useState<number | null>(keys.length > 6 ? 4 : null);
  const [fraction, setFraction] = useState<number | null>(null);
  return (
    <div class="stack">
      <p class="hint">{words.intro}</p>
      <div class="row fill">
        <NumberInput
          label={words.size}
          hint={words.sizeHint}
          value={size}
          min={1}
          max={keys.length}
          whole
          optional
          onChange={setSize}
          onEmpty={() => setSize(null)}
        />
        <NumberInput
          label={words.fraction}
          hint={words.fractionHint}
          value={fraction}
          min={1e-9}
          max={1}
          optional
          onChange={setFraction}
          onEmpty={() => setFraction(null)}
        />
      </div>
      <Asked route="GET /api/uniques" query={{ scenario, max_size: size, fraction }}>
        {(found) => <Found found={found} />}
      </Asked>
    </div>
  );
}

function Found({ found }: { found: UniqueFigures }) {
  const names = words.figures;
  return (
    <>
      {found.perturbed && <Notice tone="info">{texts.closer.before(found.perturbed)}</Notice>}
      <Figures
        figures={[
          { name: <Term name="specialUnique">{names.special}</Term>, value: count(found.special), note: words.ofUniques(count(found.sample_uniques)) },
          { name: names.combinations, value: count(found.combinations) },
          { name: names.largest, value: figure(found.largest) },
          {
            name: <Term name="dis">{names.match}</Term>,
            value: percent(found.match),
            note: words.fractionUsed(plain(found.fraction, 3)),
          },
          { name: names.largestDis, value: plain(found.largest_dis, 3) },
        ]}
      />
      {found.combinations > 0 ? (
        <div class="columns">
          <Shares keys={found.keys} />
          <div class="stack">
            <BarTable
              caption={words.sizes}
              heads={words.sizeHeads}
              rows={found.dimensions.map((each, i) => ({
                name: count(each),
                value: found.counts[i]!,
                shown: count(found.counts[i]!),
              }))}
            />
            <Bins caption={words.scores} bins={found.scores} />
            <Bins caption={words.dis} bins={found.dis} />
          </div>
        </div>
      ) : (
        <p>{words.none}</p>
      )}
    </>
  );
}

function Bins({ caption, bins }: { caption: string; bins: readonly Bin[] }) {
  return (
    <BarTable
      caption={caption}
      heads={words.binHeads}
      rows={bins.map((bin) => ({
        name: texts.numbers.between(plain(bin.low), plain(bin.high)),
        value: bin.records,
        shown: count(bin.records),
      }))}
    />
  );
}

/** What each variable adds, and of one of them each code. */
function Shares({ keys }: { keys: readonly KeyShare[] }) {
  const [chosen, setChosen] = useState(keys[0]!.key);
  const [all, setAll] = useState(false);
  const shown = keys.find((each) => each.key === chosen) ?? keys[0]!;
  return (
    <div class="stack">
      <BarTable
        caption={words.keys}
        heads={words.keyHeads}
        full={1}
        rows={keys.map((each) => ({ name: <code>{each.key}</code>, value: each.share, shown: percent(each.share) }))}
      />
      <Field label={words.choose}>
        {(wiring) => (
          <select {...wiring} value={shown.key} onChange={(event) => setChosen(event.currentTarget.value)}>
            {keys.map(({ key, label }) => (
              <option key={key} value={key}>
                {label ? `${key} – ${label}` : key}
              </option>
            ))}
          </select>
        )}
      </Field>
      {shown.codes.length > 0 ? (
        <BarTable
          caption={words.codes(shown.key)}
          heads={words.codeHeads}
          rows={(all ? shown.codes : shown.codes.slice(0, FEW)).map((each) => ({
            name: saidCode(each.value, texts.closer.dimensions.missing),
            value: each.share,
            shown: percent(each.share),
          }))}
        />
      ) : (
        <p class="hint">{words.noCodes}</p>
      )}
      {shown.codes.length > FEW && (
        <div>
          <Button small kind="quiet" onClick={() => setAll(!all)}>
            {all ? texts.closer.showFewer : texts.closer.showAll(count(shown.codes.length))}
          </Button>
        </div>
      )}
    </div>
  );
}
