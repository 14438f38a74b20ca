import type { Dispatch, StateUpdater } from "preact/hooks";
import { INTRUDER_RULES, type Verdict } from "../../api";
import { count, figure, modelled, odds, percent, plain, ratePercent } from "../../numbers";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { Notice } from "../../parts/Notice";
import { Scroll } from "../../parts/Scroll";
import { change, study } from "../../state";
import { texts } from "../../texts";
import { isCalmOnly, meaningOf, nameOf, noteOf } from "./verdicts";

const words = texts.release.verdicts;

function shown(rule: string, value: number | null): string {
  if (value === null) return words.noEstimate;
  if (rule === "tau1_share" || rule === "given_away") return value < 1e-4 ? percent(value, 2) : ratePercent(value);
  if (rule.startsWith("tau")) return modelled(value, 4);
  if (rule.endsWith("rate")) return ratePercent(value);
  if (rule === "k" || rule === "inventory") return count(value);
  return rule.endsWith("risk") || rule in INTRUDER_RULES ? plain(value, 3) : figure(value, 4);
}

/** The odds below a risk. */
function Odds({ rule, value }: { rule: string; value: number | null }) {
  return rule.endsWith("risk") && value !== null ? <span class="under">{odds(value)}</span> : null;
}

/** Reasons that are being typed, by rule. */
export type Reasons = Readonly<Record<string, string>>;

interface Props {
  verdicts: readonly Verdict[];
  /** What tells it from another table of verdicts on the page. */
  title?: string;
  /** Where a reason can be given for what is not met. */
  reasons?: Reasons;
  onReasons?: Dispatch<StateUpdater<Reasons>>;
}

/** Rule by rule: what is asked, what was measured, whether it is met. */
export function VerdictTable({ verdicts, title = words.title, reasons = {}, onReasons }: Props) {
  if (!verdicts.length) return <p class="hint">{words.none}</p>;
  const several = new Set(verdicts.map((each) => each.scenario).filter(Boolean)).size > 1;
  const failed = [...new Set(verdicts.filter((each) => !each.met && !each.reason).map((each) => each.rule))];
  return (
    <>
      <Scroll label={title}>
        <table class="verdicts">
          <caption class="hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{words.heads.rule}</th>
              {several && <th scope="col">{words.heads.scenario}</th>}
              <th scope="col" class="number">
                {words.heads.limit}
              </th>
              <th scope="col" class="number">
                {words.heads.value}
              </th>
              <th scope="col">{words.heads.verdict}</th>
            </tr>
          </thead>
          <tbody>
            {verdicts.map((each) => (
              <tr key={`${each.rule} ${each.scenario}`}>
                <th scope="row">
                  {nameOf(each.rule)}
                  <span class="under">{meaningOf(each.rule)}</span>
                </th>
                {several && <td>{each.scenario}</td>}
                <td class="number">
                  {(each.rule === "k" ? words.atLeast : words.atMost)(shown(each.rule, each.limit))}
                  <Odds rule={each.rule} value={each.limit} />
                </td>
                <td class="number">
                  {shown(each.rule, each.value)}
                  <Odds rule={each.rule} value={each.value} />
                </td>
                <td>
                  <Badge verdict={each} /> {each.note && <span class="under">{noteOf(each)}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {isCalmOnly(verdicts) && <Notice tone="warn">{words.calm}</Notice>}
      {onReasons &&
        failed.map((rule) => (
          <Override
            key={rule}
            rule={rule}
            reason={reasons[rule] ?? ""}
            onReason={(reason) => onReasons((now) => ({ ...now, [rule]: reason }))}
          />
        ))}
    </>
  );
}

function Badge({ verdict }: { verdict: Verdict }) {
  if (verdict.met) return <span class="badge good">✓ {words.met}</span>;
  if (verdict.reason) {
    return (
      <>
        <span class="badge warn">! {words.overridden}</span> <span class="under">{verdict.reason}</span>
      </>
    );
  }
  return <span class="badge bad">✕ {words.notMet}</span>;
}

/** A reason for releasing although a rule is not met. */
function Override({ rule, reason, onReason }: { rule: string; reason: string; onReason(reason: string): void }) {
  const save = async () => {
    const saved = await change("PUT /api/policy", () => {
      const { policy } = study.value!;
      return { body: { ...policy, override: { ...policy.override, [rule]: reason.trim() } } };
    });
    if (saved) onReason("");
  };
  return (
    <div class="inline-form">
      <Field
        label={`${nameOf(rule)}. ${words.override}`}
        hint={words.overrideHint}
      >
        {(wiring) => (
          <input
            {...wiring}
            type="text"
            value={reason}
            onInput={(event) => onReason(event.currentTarget.value)}
          />
        )}
      </Field>
      <Button blocked={reason.trim() ? null : " "} onClick={() => void save()}>
        {words.saveOverride}
      </Button>
    </div>
  );
}
