"""Derive the decision on each variable from scenarios, steps, and reasons to keep it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from microsafe.errors import UsageError
from microsafe.options.parameter import Parameter
from microsafe.options.reason import is_by_person, read_reason
from microsafe.options.scenario import Scenario
from microsafe.options.signature import list_fields
from microsafe.variables.recognise import Finding, FindingKind

DecisionRole = Literal["dropped", "key", "weight", "household", "protected", "kept", "undecided"]

# What a role alone does not decide: a step must have changed the variable, or a reason keep it.
# A sample changes weights as well, but does not make them tell less.
_NEEDS_A_STEP: frozenset[FindingKind] = frozenset(
    {"record number", "exact date", "free text", "coordinates", "leftover"}
)
_NEEDS_A_REASON: frozenset[FindingKind] = frozenset({"telling weight"})
# What only a person may keep: reasons that the program wrote do not count.
_ONLY_BY_PERSONS = _NEEDS_A_STEP | _NEEDS_A_REASON | {"direct identifier"}


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """Variables that go out, and why."""

    variables: Annotated[tuple[str, ...], Parameter(label="Variables that go out as they are")]
    why: Annotated[
        str,
        Parameter(
            label="Reason, for the board's report",
            help="As long as it is empty, nothing is decided.",
        ),
    ]

    def __post_init__(self) -> None:
        """Validate the fields."""
        given: object = self.variables
        if isinstance(given, str) or not given:
            raise UsageError('Name the variables to keep, as in variables = ["hours"].')
        read_reason(self.why, f"to keep {self.variables[0]!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What becomes of a variable.

    Attributes:
        role: As what it goes out, or that it does not, or that nobody has decided yet.
        by: The steps that changed it, in their words.
        why: The reason to keep it.
    """

    role: DecisionRole
    by: str = ""
    why: str = ""


def reasons_to_keep(keep: Mapping[str, str] | Iterable[Keep]) -> dict[str, str]:
    """Return the reason to keep each variable; those without a reason are left out.

    Raises:
        UsageError: A variable is named twice, or a reason has fewer than three letters.
    """
    if isinstance(keep, Mapping):
        pairs = list(keep.items())
    else:
        pairs = [(name, each.why) for each in keep for name in each.variables]
    found: dict[str, str] = {}
    for name, why in pairs:
        if name in found:
            raise UsageError(f"{name!r} is kept twice. Name it once.")
        found[name] = read_reason(why, f"to keep {name!r}")
    return {name: why for name, why in found.items() if why}


def decide(
    name: str,
    findings: Sequence[Finding],
    *,
    goes_out: bool,
    scenarios: Sequence[Scenario],
    steps: Sequence[str] = (),
    reweighed: bool = False,
    ordered: bool = False,
    why: str = "",
) -> Decision:
    """Say what becomes of a variable.

    Args:
        name: Of the variable.
        findings: What makes it delicate.
        goes_out: Whether it is in the data after all steps.
        scenarios: As they are after all steps.
        steps: That changed it, in their words.
        reweighed: Whether one of them made new weights.
        ordered: Whether the records are in its order: new numbers must hide that.
        why: Reason to keep it.
    """
    by = "; ".join(steps)
    if not goes_out:
        return Decision(role="dropped", by=by)
    role: DecisionRole = _role_in(name, scenarios) or ("protected" if steps else "undecided")
    kinds = {finding.kind for finding in findings}
    if why and (is_by_person(why) or not kinds & _ONLY_BY_PERSONS):
        return Decision(role="kept" if role == "undecided" else role, by=by, why=why)
    open_still = (bool(kinds & _NEEDS_A_REASON) and not reweighed) or (
        not steps and (bool(kinds & _NEEDS_A_STEP) or (role == "household" and ordered))
    )
    return Decision(role="undecided") if open_still else Decision(role=role, by=by)


def is_barred(findings: Sequence[Finding], decision: Decision, *, renumbered: bool) -> bool:
    """Tell whether a direct identifier goes out without a reason.

    Args:
        findings: What makes the variable delicate.
        decision: What becomes of it.
        renumbered: Whether a step gave it new numbers.
    """
    direct = any(finding.kind == "direct identifier" for finding in findings)
    return direct and decision.role != "dropped" and not decision.why and not renumbered


def _role_in(name: str, scenarios: Sequence[Scenario]) -> DecisionRole | None:
    for scenario in scenarios:
        if name in scenario.keys:
            return "key"
        if name == scenario.weight:
            return "weight"
        if name == scenario.household:
            return "household"
    return None
