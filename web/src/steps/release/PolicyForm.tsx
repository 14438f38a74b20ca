import { useState } from "preact/hooks";
import { FORMS, INTRUDER_RULES, type PolicyInput, type Scenario } from "../../api";
import { recordLimits } from "../../limits";
import { plain } from "../../numbers";
import { Button } from "../../parts/Button";
import { ByScenario } from "../../parts/ByScenario";
import { Term } from "../../parts/Glossary";
import { OtherFields } from "../../parts/OptionFields";
import { Card } from "../../parts/Page";
import { change, said, study } from "../../state";
import { texts } from "../../texts";

const words = texts.release.policy;

export const RULES = [
  "record_risk",
  "rate",
  "expected",
  "household_risk",
  "household_rate",
  "expected_households",
  "tau1",
  "tau1_share",
  "tau2",
  "k",
  "given_away",
] as const;
export type Rule = (typeof RULES)[number];

export const bounds: Record<Rule, { min: number; max: number; whole?: boolean }> = {
  record_risk: { min: 0, max: 1 },
  rate: { min: 0, max: 1 },
  expected: { min: 0, max: Infinity },
  household_risk: { min: 0, max: 1 },
  household_rate: { min: 0, max: 1 },
  expected_households: { min: 0, max: Infinity },
  tau1: { min: 0, max: Infinity },
  tau1_share: { min: 0, max: 1 },
  tau2: { min: 0, max: Infinity },
  k: { min: 1, max: 1e9, whole: true },
  given_away: { min: 0, max: 1 },
};

/** Whether a rule may have a limit of its own for a scenario. */
function judged(rule: Rule, scenario: Scenario): boolean {
  return rule === "record_risk" || (rule === "household_risk" && scenario.household !== null);
}

/** What the board asks, rule by rule. */
export function PolicyForm() {
  const now = study.value!;
  // Only what was changed here: the rest is the study's, whatever answer comes meanwhile.
  const [edits, setEdits] = useState<PolicyInput>({});
  const policy: PolicyInput = { ...now.policy, ...edits };
  const put = (part: PolicyInput) => setEdits((before) => ({ ...before, ...part }));
  const limits = recordLimits(now);
  const households = now.scenarios.some((each) => each.household);
  const save = async () => {
    const saved = await change("PUT /api/policy", () => {
      const { policy: before, scenarios } = study.value!;
      return { body: householdsOf(overridesOf({ ...before, ...edits }), scenarios) };
    });
    if (!saved) return;
    setEdits((later) => editsSince(edits, later));
    said.value = words.saved;
  };
  return (
    <Card title={<Term name="policy">{words.title}</Term>}>
      <p class="hint">{words.intro}</p>
      <div class="policy">
        {RULES.filter((rule) => households || !rule.includes("household")).map((rule) => (
          <ByScenario
            key={rule}
            label={FORMS.policy[rule].label}
            scenarios={now.scenarios.filter((each) => judged(rule, each)).map((each) => each.name)}
            value={policy[rule] ?? null}
            {...bounds[rule]}
            optional
            onChange={(value) => put({ [rule]: value })}
          />
        ))}
        {Object.entries(INTRUDER_RULES).map(([rule, title]) => (
          <ByScenario
            key={rule}
            label={words.intruder(title)}
            scenarios={[]}
            value={policy.intruders?.[rule] ?? null}
            min={0}
            max={1}
            optional
            onChange={(value) => put({ intruders: intrudersOf(policy, rule, value) })}
          />
        ))}
      </div>
      <OtherFields form="policy" but={RULES} values={policy} onChange={put} />
      <div class="buttons">
        <Button kind="primary" onClick={() => void save()}>
          {words.save}
        </Button>
        {limits !== null && JSON.stringify(policy.record_risk) !== JSON.stringify(limits) && (
          <Button onClick={() => put({ record_risk: limits })}>
            {typeof limits === "number" ? words.fill(plain(limits)) : words.fillEach}
          </Button>
        )}
      </div>
    </Card>
  );
}

/** What was edited after something was sent, and so is not saved yet. */
export function editsSince(sent: PolicyInput, now: PolicyInput): PolicyInput {
  return Object.fromEntries(Object.entries(now).filter(([rule, value]) => sent[rule as Rule] !== value));
}

/** Rules that hold always: every variable is decided on; “cell”, and safety by gaps, need a reason. */
const ALWAYS: readonly string[] = ["inventory", "estimator", "gaps"];

/** The policy with household risk asked only of scenarios with households. */
export function householdsOf(policy: PolicyInput, scenarios: readonly Scenario[]): PolicyInput {
  const limit = policy.household_risk ?? null;
  if (typeof limit !== "number" || scenarios.every((each) => each.household)) return policy;
  const named = scenarios.filter((each) => each.household).map((each) => [each.name, limit]);
  return { ...policy, household_risk: Object.fromEntries(named) };
}

/** The limits of intruders once one of them is another, or none. */
export function intrudersOf(policy: PolicyInput, rule: string, limit: unknown): Record<string, number> {
  const { [rule]: _, ...others } = policy.intruders ?? {};
  return typeof limit === "number" ? { ...others, [rule]: limit } : others;
}

/** The policy without reasons for rules that are gone. */
export function overridesOf(policy: PolicyInput): PolicyInput {
  const limits: Readonly<Record<string, unknown>> = { ...policy, ...policy.intruders };
  const reasons = Object.entries(policy.override ?? {}).filter(
    ([rule]) => ALWAYS.includes(rule) || (limits[rule] ?? null) !== null,
  );
  return { ...policy, override: Object.fromEntries(reasons) };
}
