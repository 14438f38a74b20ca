import { useState } from "preact/hooks";
import { Segments } from "../../parts/Segments";
import { study } from "../../state";
import { texts } from "../../texts";
import { NamedModel } from "./NamedModel";
import { NamedTable } from "./NamedTable";
import { keepUses } from "./Naming";
import { tablesOf, withoutModel, withoutTable } from "./naming";
import { UsesLoss } from "./UsesLoss";

const words = texts.uses;

export type Counting = keyof typeof words.counts;

/** What was named, before and after: by weight, or each record counted once. */
export function Named({ to }: { to: number }) {
  const { uses, scenarios } = study.value!;
  const [counting, setCounting] = useState<Counting>("weighted");
  const tables = tablesOf(uses);
  if (!uses || (!tables.length && !uses.models.length)) return null;
  const weighted = scenarios.some((each) => each.weight);
  return (
    <>
      <UsesLoss uses={uses} to={to} />
      {weighted && (
        <div>
          <Segments<Counting>
            label={words.count}
            options={words.counts}
            value={counting}
            onChange={(next) => setCounting(next)}
          />
        </div>
      )}
      {tables.map((table) => (
        <NamedTable
          key={table.join("\n")}
          table={table}
          to={to}
          counting={counting}
          onRemove={() => void keepUses((before) => withoutTable(before, table), words.removed(table.join(" × ")))}
        />
      ))}
      {uses.models.map(({ formula }) => (
        <NamedModel
          key={formula}
          formula={formula}
          to={to}
          counting={counting}
          onRemove={() =>
            void keepUses((before) => withoutModel(before, formula), words.removed(formula))
          }
        />
      ))}
    </>
  );
}
