import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { Api, ExploredCount, ExploredVariable } from "../../api";
import { CountHistogram } from "../../charts/CountHistogram";
import { count, figure, percent } from "../../numbers";
import { BarTable } from "../../parts/BarTable";
import { Card, Figures } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Segments } from "../../parts/Segments";
import { texts } from "../../texts";
import { Look } from "./Look";
import { maskedIn, sharesOf, type Counting } from "./shares";

const words = texts.explore;
type AxisChoice = NonNullable<Api["GET /api/explore"]["query"]["axis"]>;

/** One variable: bars of its categories, or a histogram of its numbers. */
export function Distribution({ name, at }: { name: string; at: { steps?: number } }) {
  const [axis, setAxis] = useState<AxisChoice>("auto");
  const [stopped, setStopped] = useState(false);
  const answer = useAnswer("GET /api/explore", { name, axis, ...at }, !stopped);
  const numbers = answer.value?.axis || axis !== "auto";
  return (
    <Card
      title={words.distribution(name)}
      aside={
        numbers ? (
          <Segments<AxisChoice> label={words.axis} options={words.axes} value={axis} onChange={setAxis} />
        ) : undefined
      }
    >
      <Look answer={answer} stopped={stopped} onStop={setStopped}>
        {(found) => <Shown found={found} />}
      </Look>
    </Card>
  );
}

function Shown({ found }: { found: ExploredVariable }) {
  const [chosen, setCounting] = useState<Counting>("plain");
  const weighed = [...found.counts, found.missing].some((each) => each.weighted !== null);
  const counting = weighed ? chosen : "plain";
  const all = [...found.counts, found.missing];
  const masked = maskedIn(all.map((each) => each.records));
  return (
    <>
      {found.label && <p>{found.label}</p>}
      <Facts found={found} />
      {weighed && found.axis && (
        <Segments<Counting> label={words.counting} options={words.countings} value={counting} onChange={setCounting} />
      )}
      {found.axis ? <Numbers found={found} counting={counting} /> : <Table found={found} weighed={weighed} />}
      {found.pooled > 0 && <p class="hint">{words.pooled(found.pooled)}</p>}
      {masked > 0 && <p class="hint">{words.maskedNote(masked, found.least)}</p>}
    </>
  );
}

function Facts({ found }: { found: ExploredVariable }) {
  const { facts } = words;
  const groups = found.counts.length - (found.pooled ? 1 : 0) + found.pooled;
  return (
    <Figures
      figures={[
        { name: facts.records, value: count(found.records) },
        { name: facts.missing, value: found.missing.records === null ? words.maskedCell : count(found.missing.records) },
        ...(found.axis ? [] : [{ name: facts.groups, value: count(groups) }]),
        ...found.quantiles.map((each) => ({ name: words.quantiles(each.share), value: `≈ ${figure(each.value)}` })),
      ]}
    />
  );
}

function Numbers({ found, counting }: { found: ExploredVariable; counting: Counting }) {
  const middle = found.quantiles.find((each) => each.share === 0.5);
  const shares = sharesOf(found.counts, found.records, counting);
  return (
    <>
      <figure>
        <CountHistogram
          axis={found.axis!}
          variable={found.name}
          shares={shares}
          weighted={counting === "weighted"}
          named={words.histogramSaid(found.name, middle ? figure(middle.value) : "")}
          titles={found.counts.map((each, i) => words.bin(each.text, recordsOf(each), shareText(shares[i]!)))}
        />
      </figure>
      {found.quantiles.length > 0 && <p class="hint">{words.about}</p>}
      <details>
        <summary>{texts.asTable}</summary>
        <Table found={found} weighed={found.counts.some((each) => each.weighted !== null)} />
      </details>
    </>
  );
}

/** The counts with bars: a chart that is its own table. */
function Table({ found, weighed }: { found: ExploredVariable; weighed: boolean }) {
  const { heads } = words;
  const rows = [...found.counts, ...(found.missing.records === 0 ? [] : [found.missing])];
  const plain = sharesOf(rows, found.records, "plain");
  return (
    <Scroll label={words.distribution(found.name)} tall>
      <BarTable
        caption={words.distribution(found.name)}
        quiet
        heads={[found.axis ? heads.range : heads.category, heads.records, heads.share, ...(weighed ? [heads.weighted] : [])]}
        rows={rows.map((each, i) => ({
          name: each.text || <em>{words.missing}</em>,
          value: each.records ?? 0,
          shown: recordsOf(each),
          more: [shareText(plain[i]!), ...(weighed ? [shareText(each.weighted)] : [])],
        }))}
      />
    </Scroll>
  );
}

function recordsOf(each: ExploredCount): string {
  return each.records === null ? words.maskedCell : count(each.records);
}

function shareText(share: number | null): string {
  return share === null ? words.maskedCell : percent(share);
}
