import type { TellingRow } from "../../api";
import { percent } from "../../numbers";
import { Button } from "../../parts/Button";
import { Notice } from "../../parts/Notice";
import { change, said } from "../../state";
import { texts } from "../../texts";

const words = texts.inventory.telling;

/** Variables that give a changed key back, or tell much of it: leave them out, or recode them alike. */
export function Telling({ rows }: { rows: readonly TellingRow[] }) {
  return (
    <>
      {rows.map((row) => (
        <Notice key={`${row.words} ${row.key}`} tone={row.determines ? "bad" : "warn"}>
          {(row.determines ? words.determines : words.tells)(row.words, row.key, percent(row.share))}
          <span class="buttons">
            {row.variables.map((name, place) => (
              <Remedies key={name} name={name} row={row} alike={row.alike[place] ?? null} />
            ))}
          </span>
        </Notice>
      ))}
    </>
  );
}

interface RemedyProps {
  name: string;
  row: TellingRow;
  alike: TellingRow["alike"][number];
}

function Remedies({ name, row, alike }: RemedyProps) {
  const drop = { do: "drop" as const, variables: [name], why: words.why(row.key) };
  return (
    <>
      {alike && (
        <Button
          onClick={async () => {
            if (await change("POST /api/steps", { body: alike })) said.value = words.recoded(name, row.key);
          }}
        >
          {words.recode(name, row.key)}
        </Button>
      )}
      <Button
        onClick={async () => {
          if (await change("POST /api/steps", { body: drop })) said.value = texts.inventory.done.drop(1);
        }}
      >
        {words.drop(name)}
      </Button>
    </>
  );
}
