import type { Declaration, VariableReading } from "../../api";
import { count, plain } from "../../numbers";
import { BarTable } from "../../parts/BarTable";
import { Button } from "../../parts/Button";
import { Notice } from "../../parts/Notice";
import { Figures } from "../../parts/Page";
import { texts } from "../../texts";
import { CodeTable } from "./CodeTable";

const words = texts.variables;
const { preview } = words;

interface Props {
  found: VariableReading;
  said: Declaration;
  busy: boolean;
  onChange(said: Declaration): void;
}

/** One variable as it would be read: what is wrong with it, and its first categories. */
export function AsRead({ found, said, busy, onChange }: Props) {
  return (
    <section class="preview" aria-label={preview.title} aria-busy={busy || undefined}>
      <h2>{preview.title}</h2>
      {found.fault && <Fault found={found} said={said} onChange={onChange} />}
      <Figures
        figures={[
          { name: preview.facts.type, value: found.fault ? texts.open.kinds[found.kind] : words.types[found.type] },
          { name: preview.facts.total, value: count(found.distinct) },
          { name: preview.facts.missing, value: count(found.missing) },
          ...(found.mixture ? [{ name: preview.facts.mixture, value: found.mixture }] : []),
        ]}
      />
      {found.categories.length > 0 ? (
        <CodeTable found={found} said={said} onChange={onChange} />
      ) : found.bins.length > 0 ? (
        <BarTable
          caption={preview.title}
          quiet
          heads={[preview.heads.range, preview.heads.records]}
          rows={found.bins.map((bin) => ({
            name: `${plain(bin.low, 6)} – ${plain(bin.high, 6)}`,
            value: bin.records,
            shown: count(bin.records),
          }))}
        />
      ) : (
        found.distinct > 0 && <p class="hint">{preview.hidden}</p>
      )}
    </section>
  );
}

/** Why values are not what is said of them, and the values in the way. */
function Fault({ found, said, onChange }: Omit<Props, "busy">) {
  const codes = found.odd.map((each) => each.code);
  const missing = said.missing ?? found.missing_codes;
  return (
    <Notice tone="bad" title={preview.fault} live>
      {found.fault}
      {codes.length > 0 && (
        <>
          <ul class="odd" aria-label={preview.odd}>
            {found.odd.map((each) => (
              <li key={each.code}>
                <code>{each.code}</code> <span class="hint">{count(each.records)}</span>
              </li>
            ))}
          </ul>
          <Button small onClick={() => onChange({ ...said, missing: [...missing, ...codes] })}>
            {preview.takeMissing}
          </Button>
        </>
      )}
      {found.odd_others > 0 && <p class="hint">{preview.oddOthers(found.odd_others)}</p>}
    </Notice>
  );
}
