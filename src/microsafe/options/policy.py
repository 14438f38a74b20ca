"""What the board asks of a file before it is released, rule by rule."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from numbers import Real
from typing import Annotated

from microsafe.display import Rate, show_number, show_percent, show_rate, show_risk
from microsafe.errors import UsageError, did_you_mean
from microsafe.options.parameter import Parameter
from microsafe.options.reason import read_reason
from microsafe.options.signature import list_fields
from microsafe.sentences import Sentence

_BY_SCENARIO = ("record_risk", "household_risk")  # rules that may differ by scenario
ESTIMATOR = "estimator"  # the rule on which estimator may decide
INVENTORY = "inventory"  # the rule that every variable, and the order, is decided on
DETERMINES = 0.9  # share of a changed key's original values that no variable may tell
MUCH_HIGHER = 1.25  # times the risk by cell that the model may say without a reason
GAPS = "gaps"  # the rule on safety that rests on missing keys
TELLING = "telling"  # the rule on variables that give a changed key back
GIVEN_AWAY = "given_away"  # the rule on suppressed values that can be guessed
FILE_RULES = ("tau1", "tau1_share", "tau2")  # about the file as a whole, by a model of it
# Rules on households, and those on records that hold wherever they do: a household is recognised
# as soon as one of its members is.
HOUSEHOLD_RULES = {
    "household_risk": "record_risk",
    "household_rate": "rate",
    "expected_households": "expected",
}
REJOIN = "rejoin"  # the rule on members who are put together without the household number
REJOIN_LIMIT = 0.05  # share of the members that may be put together again
SMALLEST_SHARE = 1e-4  # by a model; what is below is not worth its digits

Limit = Rate | Mapping[str, Rate]  # for all scenarios or by scenario

# Shares of sample uniques that are population uniques, and the level up to each.
_LEVELS = ((0.01, "very low"), (0.03, "low"), (0.06, "moderate"), (1.0, "high"))

SHARES: Mapping[str, str] = {  # what rules of intruders limit that are about no single chance
    "rejoin": "{share} of the members",
    "numbers": "{share} of the records",
    "inference": "{share} advantage",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One rule, what was measured, and whether it is met.

    Attributes:
        rule: Its name in the policy.
        scenario: Under which scenario it was measured.
        limit: The most (for `k` the least) that is allowed.
        value: What was measured on the file as it was read back; None if it could not be.
        met: Whether the value is within the limit.
        reason: Why the file is released although the rule is not met, if somebody said so.
        note: Why there is no value, or what it counts.
    """

    rule: str
    scenario: str
    limit: float
    value: float | None
    met: bool
    reason: str = ""
    note: str = ""

    @property
    def allowed(self) -> bool:
        """Whether the rule does not stand in the way of a release."""
        return self.met or bool(self.reason)


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Limits that a released file must keep; None asks for nothing.

    Four rules hold always. Every variable, and the order of the records, is decided on, and no
    direct identifier goes out without a reason (`override = { inventory = "..." }`). Where
    the model of the population expects more than 1.25 times the re-identifications of the
    estimator `cell`, or has none to compare with where keys are sparse, a release under `cell`
    needs a reason (`override = { estimator = "..." }`).
    And so does one that meets a rule on records only because keys are missing (`override =
    { gaps = "..." }`). No variable that goes out gives a key back that was recoded, blanked or
    dropped; a reason to keep the variable is no reason for that (`override = { telling = "..." }`).
    """

    record_risk: Annotated[
        Limit | None,
        Parameter(
            label="Largest risk of a record",
            help="For all scenarios, or by scenario; also the line in the pictures of the report.",
            metavar="R",
            option="above",
        ),
    ] = None
    expected: Annotated[
        float | None, Parameter(label="Largest expected number of re-identifications", metavar="E")
    ] = None
    rate: Annotated[Rate | None, Parameter(label="Largest re-identification rate", metavar="X")] = (
        None
    )
    household_risk: Annotated[
        Limit | None,
        Parameter(
            label="Largest risk of a household",
            help="For all scenarios, or by scenario; each must name a household.",
            metavar="R",
            option="household_above",
        ),
    ] = None
    household_rate: Annotated[
        Rate | None,
        Parameter(
            label="Largest share of the records whose household is re-identified",
            see="methods/household-risk.md#three-figures-for-the-file",
            metavar="X",
        ),
    ] = None
    expected_households: Annotated[
        float | None,
        Parameter(
            label="Largest expected number of households with a member re-identified", metavar="E"
        ),
    ] = None
    tau1: Annotated[
        float | None,
        Parameter(
            label="Largest expected number of sample uniques that are population uniques",
            see="methods/file-risk.md",
            metavar="N",
        ),
    ] = None
    tau1_share: Annotated[
        Rate | None,
        Parameter(
            label="Largest share of the sample uniques that are population uniques",
            help="Up to 1 % is very low, up to 3 % low, up to 6 % moderate, above that high.",
            metavar="X",
        ),
    ] = None
    tau2: Annotated[
        float | None,
        Parameter(
            label="Largest expected number of correct matches with sample uniques", metavar="N"
        ),
    ] = None
    k: Annotated[
        int | None, Parameter(label="Fewest records that share the keys of a record", metavar="K")
    ] = None
    given_away: Annotated[
        Rate | None,
        Parameter(
            label="Largest share of the suppressed values that are guessed right from the file",
            see="methods/order-and-metadata.md",
            help="Beyond what blind guesses get right.",
            metavar="X",
        ),
    ] = None
    intruders: Annotated[
        Mapping[str, Rate],
        Parameter(
            label="Largest figures of intruders who have no rule above, by rule or name",
            help="For all scenarios; see docs/methods/intruders.md.",
            metavar="RULE=X",
        ),
    ] = field(default_factory=dict)
    publish_matrix: Annotated[
        bool,
        Parameter(
            label="Chances of PRAM in the public report",
            see="methods/pram.md",
            help="Users need them to correct their estimates. No rule: nothing is measured by it.",
        ),
    ] = False
    override: Annotated[
        Mapping[str, str],
        Parameter(
            label="Reasons for releasing although a rule is not met, by rule",
            metavar='RULE="reason"',
        ),
    ] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse limits that make no sense, and reasons for rules that are not there."""
        for rule in self.intruders:
            if rule in list_rules():
                raise UsageError(f"{rule!r} is a rule of the policy itself. Set it there.")
        for rule, given in self.rules.items():
            if isinstance(given, Mapping) and rule not in _BY_SCENARIO:
                raise UsageError(f"The policy's {rule} is one number for all scenarios.")
            limits = given.values() if isinstance(given, Mapping) else (given,)
            if not all(map(_is_limit, limits)):
                raise UsageError(f"The policy's {rule} must be a number of at least 0.")
        known = [*self.rules, ESTIMATOR, GAPS, INVENTORY, TELLING]
        if not HOUSEHOLD_RULES.keys().isdisjoint(self.rules):
            known.append(REJOIN)  # which they give way to
        for rule, reason in self.override.items():
            if rule not in known:
                hint = did_you_mean(rule, known)
                raise UsageError(f"The policy has no rule {rule!r} to override.{hint}")
            if not read_reason(reason, f"to override the policy's {rule}"):
                raise UsageError(f"Overriding the policy's {rule} needs a reason.")

    @property
    def rules(self) -> dict[str, Limit]:
        """The limits that are set, by rule; one that has none for any scenario is not."""
        limits = {rule: getattr(self, rule) for rule in list_rules()}
        found = {rule: limit for rule, limit in limits.items() if limit not in (None, {})}
        return found | dict(self.intruders)

    def rules_of(self, scenario: str) -> dict[str, float]:
        """Return the limits for a scenario, by rule that it has one for."""
        found = {
            rule: limit.get(scenario) if isinstance(limit, Mapping) else limit
            for rule, limit in self.rules.items()
        }
        return {rule: limit for rule, limit in found.items() if limit is not None}

    @property
    def without_households(self) -> Policy:
        """What is asked of a file whose household number was dropped, whatever its scenarios."""
        return self.leave_households(())

    def leave_households(self, scenarios: Collection[str]) -> Policy:
        """Return what is asked of a file whose household number was dropped.

        Nobody sees households there, so rules on them give way to one on who puts members together.
        What they asked of members is asked of records still: whoever finds one finds the household,
        so no record has a larger risk than its household, no more records are found than lie in
        households that are found, and no more households than records.

        Args:
            scenarios: All there are: where one of two limits is by scenario, the other one holds
                for the rest of them. If none is named, the smallest holds for all.
        """
        given = [rule for rule in HOUSEHOLD_RULES if rule in self.rules]
        if not given:
            return self
        asked = [rule for rule in given if rule not in self.override]
        limits: dict[str, Limit | None] = dict.fromkeys(given)
        for rule in asked:
            of_records = HOUSEHOLD_RULES[rule]
            pair = [self.rules[each] for each in (of_records, rule) if each in self.rules]
            limits[of_records] = _take_smaller(pair, scenarios)
        intruders = {REJOIN: REJOIN_LIMIT, **self.intruders} if asked else self.intruders
        gone = {*given, *({REJOIN} - {*intruders})}
        override = {rule: why for rule, why in self.override.items() if rule not in gone}
        return replace(self, **limits, intruders=intruders, override=override)  # type: ignore[arg-type]

    def find_origin(self, verdict: Verdict) -> str:
        """Return the rule on households that a verdict on records has its limit from, if one."""
        asked = self.rules_of(verdict.scenario)
        if asked.get(verdict.rule) == verdict.limit:
            return ""
        origins = [rule for rule, other in HOUSEHOLD_RULES.items() if other == verdict.rule]
        return next((rule for rule in origins if rule in self.rules), "")

    def check_scenarios(self, known: Collection[str]) -> None:
        """Refuse limits for scenarios that are not there."""
        for limit in self.rules.values():
            for name in limit if isinstance(limit, Mapping) else ():
                if name not in known:
                    hint = did_you_mean(name, known)
                    raise UsageError(
                        f"The policy has a limit for {name!r}, which is no scenario.{hint}"
                    )

    @property
    def asks_of_file(self) -> bool:
        """Whether a rule is about the risk of the file as a whole, which takes a model."""
        return any(rule in self.rules for rule in FILE_RULES)

    def verdicts(
        self, scenario: str, measured: Mapping[str, float | None], *, note: str = ""
    ) -> list[Verdict]:
        """Compare what was measured with each rule.

        Args:
            scenario: Its name.
            measured: Value for each rule; None if it cannot be measured: no households, or no
                estimate of the risk of the file.
            note: Why there is no estimate of the risk of the file.
        """
        found = []
        for rule, limit in self.rules_of(scenario).items():
            # Of the file as written, whatever the scenario; or of intruders who are played.
            if rule == GIVEN_AWAY or rule in self.intruders:
                continue
            value = measured[rule]
            if value is None and rule not in FILE_RULES:
                raise UsageError(f"The policy's {rule} needs a scenario with households.")
            met = value is not None and (value >= limit if rule == "k" else value <= limit)
            verdict = self._verdict(rule, scenario, limit, value, met)
            found.append(replace(verdict, note=note) if value is None else verdict)
        return found

    def intruder_verdicts(
        self, scenario: str, measured: Mapping[str, float], untried: Mapping[str, str]
    ) -> list[Verdict]:
        """Compare what intruders found with their rules.

        Args:
            scenario: Its name.
            measured: What was found, by rule.
            untried: Why those were not tried whose rules have no figure, by rule.
        """
        found = []
        for rule, limit in self.intruders.items():
            value = measured.get(rule)
            verdict = self._verdict(
                rule, scenario, limit, value, value is not None and value <= limit
            )
            if value is None:
                note = Sentence("not-tried", reason=untried.get(rule, ""))
                verdict = replace(verdict, note=note)
            found.append(verdict)
        return found

    def estimator_verdict(self, scenario: str, ratio: float | None, note: str = "") -> Verdict:
        """Say whether the estimator `cell` may decide.

        Args:
            scenario: Its name.
            ratio: Expected re-identifications by the model as a multiple of those by cell; None if
                the model does not say.
            note: Why not.
        """
        met = ratio is not None and ratio <= MUCH_HIGHER
        return replace(self._verdict(ESTIMATOR, scenario, MUCH_HIGHER, ratio, met), note=note)

    def gaps_verdict(
        self, scenario: str, told: Mapping[str, float], weighed: Mapping[str, float]
    ) -> Verdict | None:
        """Say whether rules on records are met only because keys are missing.

        That is so if one is met under the scenario's rule for missing keys and not under the rule
        `expected`, which weighs gaps, and the latter expects much more re-identifications.

        Args:
            scenario: Its name.
            told: Figures under the scenario's rule, by rule of the policy.
            weighed: The same under `expected`.

        Returns:
            The verdict; None if nothing rests on gaps.
        """
        turned = [
            rule
            for rule, limit in self.rules_of(scenario).items()
            if rule in told and told[rule] <= limit < weighed[rule]
        ]
        ratio = weighed["expected"] / told["expected"] if told["expected"] else 1.0
        if not turned or ratio <= MUCH_HIGHER:
            return None
        verdict = self._verdict(GAPS, scenario, MUCH_HIGHER, ratio, False)
        return replace(verdict, note=Sentence("met-by-gaps", rules=turned))

    def telling_verdict(self, share: float, note: str = "") -> Verdict:
        """Say whether a variable that goes out gives a changed key back.

        Args:
            share: Of its original values, the most that a variable tells.
            note: Which variables do.
        """
        verdict = self._verdict(TELLING, "", DETERMINES, share, not note)
        return replace(verdict, note=note)

    def guesses_verdict(
        self, scenario: str, figures: Mapping[str, float], found: Mapping[str, float]
    ) -> Verdict:
        """Say that guesses of changed keys find many more records than the keys that are shown.

        Args:
            scenario: Its name.
            figures: Records found with guesses as a multiple of those without, by this rule.
            found: Without guesses, as "exact".
        """
        verdict = self._verdict(TELLING, scenario, MUCH_HIGHER, figures[TELLING], False)
        return replace(verdict, note=Sentence("hits-with-guesses", exact=found["exact"]))

    def given_away_verdict(self, share: float | None, note: str = "") -> Verdict:
        """Say whether too many suppressed values can be guessed.

        Args:
            share: Guessed right beyond chance; None if that could not be measured.
            note: Why not.
        """
        limit = self.given_away or 0.0
        met = share is not None and share <= limit
        return replace(self._verdict(GIVEN_AWAY, "", limit, share, met), note=note)

    def inventory_verdict(self, undecided: int, note: str) -> Verdict:
        """Say whether everything in the file was decided on.

        Args:
            undecided: Variables that are not, direct identifiers that go out, and the order.
            note: Which they are.
        """
        verdict = self._verdict(INVENTORY, "", 0, undecided, not undecided)
        return replace(verdict, note=note)

    def _verdict(
        self, rule: str, scenario: str, limit: float, value: float | None, met: bool
    ) -> Verdict:
        reason = "" if met else self.override.get(rule, "")
        return Verdict(
            rule=rule, scenario=scenario, limit=limit, value=value, met=met, reason=reason
        )


def list_rules() -> list[str]:
    """Return the rules that the policy has by itself; intruders may have others."""
    return [part.name for part in fields(Policy) if part.default is None]


def is_brought(rule: str) -> bool:
    """Tell whether an intruder brought a rule along: the policy does not have it by itself."""
    return rule not in (*list_rules(), ESTIMATOR, GAPS, INVENTORY, TELLING)


def is_chance(rule: str) -> bool:
    """Tell whether a rule limits the chance of the one who is easiest to find."""
    return rule.endswith("risk") or (is_brought(rule) and rule not in SHARES)


def show_rule_value(rule: str, value: float | None, scenario: str | None = "") -> str:
    """Return a limit, or what was measured, in the format of the figures that a rule is about.

    Args:
        rule: Its name.
        value: The figure; None if there is none.
        scenario: Under which it was judged; empty if it was judged on the file. The rule on what
            tells keys is about shares of values of the file, and about records under a scenario
            that are found with guesses, as a multiple of those without.
    """
    if value is None:
        return "no estimate"
    if rule == "tau1_share":
        share = show_percent(value, 2) if 0 < value < SMALLEST_SHARE else show_rate(value)
        return f"{share} ({next(level for most, level in _LEVELS if value <= most)})"
    if rule == TELLING and scenario:
        return f"{show_number(value)} times"
    if rule in (GIVEN_AWAY, TELLING):
        return show_percent(value)
    if rule in SHARES:
        return SHARES[rule].format(share=show_rate(value))
    if is_chance(rule):
        return show_risk(value)
    return show_rate(value) if rule.endswith("rate") else show_number(value)


def _take_smaller(limits: Collection[Limit], scenarios: Collection[str]) -> Limit:
    """Return the smaller of some limits, by scenario where one of them is."""
    single = [limit for limit in limits if not isinstance(limit, Mapping)]
    by_scenario = [limit for limit in limits if isinstance(limit, Mapping)]
    if not by_scenario:
        return min(single)
    if single and not scenarios:
        return min(*single, *(limit for each in by_scenario for limit in each.values()))
    names = scenarios if single else {name for each in by_scenario for name in each}
    return {
        name: min(*single, *(each[name] for each in by_scenario if name in each), math.inf)
        for name in sorted(names)
    }


def _is_limit(given: object) -> bool:
    return isinstance(given, Real) and float(given) >= 0
