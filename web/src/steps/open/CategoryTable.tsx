import { useAnswer } from "../../answer";
import type { VariableProfile } from "../../api";
import { count, percent, plain } from "../../numbers";
import { BarTable } from "../../parts/BarTable";
import { Waiting } from "../../parts/Waiting";
import { texts } from "../../texts";
import { Scroll } from "../../parts/Scroll";

/** Categories or bins of a variable as it now is. */
export function CategoryTable({ name }: { name: string }) {
  const answer = useAnswer("GET /api/variable", { name });
  return <Waiting answer={answer}>{(detail) => <Distribution detail={detail} />}</Waiting>;
}

export function Distribution({ detail }: { detail: VariableProfile }) {
  const { code, label, records, share, range } = texts.open;
  if (detail.categories.length) {
    const all = detail.categories.reduce((sum, each) => sum + each.records, detail.missing);
    const labelled = detail.categories.some((each) => each.label);
    return (
      <Scroll label={texts.open.show(detail.name)} tall>
        <BarTable
          caption={texts.open.show(detail.name)}
          heads={labelled ? [`${code} · ${label}`, records, share] : [code, records, share]}
          rows={detail.categories.map((each) => ({
            name: (
              <>
                <code>{each.code}</code> {each.label}
              </>
            ),
            value: each.records,
            shown: count(each.records),
            more: [percent(each.records / all)],
          }))}
        />
      </Scroll>
    );
  }
  if (detail.bins.length) {
    return (
      <BarTable
        caption={texts.open.show(detail.name)}
        heads={[range, records]}
        rows={detail.bins.map((bin) => ({
          name: `${plain(bin.low, 6)} – ${plain(bin.high, 6)}`,
          value: bin.records,
          shown: count(bin.records),
        }))}
      />
    );
  }
  return <p class="hint">{texts.open.tooMany}</p>;
}
