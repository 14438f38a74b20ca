"""The answer in one screen: what a file would give away, and what to do first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from microsafe.display import shorten_list, show_number, show_percent, show_risk
from microsafe.guides.missing_words import find_missing_values, treat_as_missing
from microsafe.guides.scenario import propose_scenario
from microsafe.options.profiles import USUAL_PROFILE, ProfileName, find_profile
from microsafe.options.scenario import Estimator
from microsafe.progress import Progress, silent
from microsafe.results import Result, Rows
from microsafe.studies.repeated_rows import find_panel
from microsafe.studies.study import Study
from microsafe.variables.groups import GROUPS, Group
from microsafe.variables.inventory import Inventory

_LEFT_OUT: tuple[Group, ...] = ("tells a key", "free text", "date")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FileCheck(Result):
    """What a file would give away if it went out as it is.

    Attributes:
        source: The file.
        profile: Who would get it.
        records: In it.
        identifiers: Direct identifiers that were found.
        keys: What somebody is assumed to know.
        estimator: Of the risk.
        limit: On the risk of a record, as is usual for those who get the file.
        expected: People who could be recognised.
        above: Records above the limit.
        first: What to do, the most pressing first.
        unit: What is counted: persons where they have several records and are named.
    """

    source: str
    profile: ProfileName
    records: int
    identifiers: tuple[str, ...]
    keys: tuple[str, ...]
    estimator: Estimator | None
    limit: float
    expected: float
    above: int
    first: tuple[str, ...]
    unit: Literal["records", "persons"] = "records"

    @property
    def clean(self) -> bool:
        """Whether nothing was found."""
        return not self.first

    @property
    def title(self) -> str:
        """What was checked, and for whom."""
        usual = find_profile(self.profile)
        state = "nothing to do" if self.clean else f"{len(self.first)} things to do"
        return f"{self.source} for {usual.who} ({usual.release_type}): {state}"

    def _rows(self) -> Rows:
        yield self.unit, f"{self.records:,}"
        yield "identifiers found", ", ".join(self.identifiers) or "none"
        yield "keys that were assumed", ", ".join(self.keys)
        share = show_percent(self.expected / self.records)
        yield "could be recognised", f"{show_number(self.expected)} people ({share})"
        risky = show_percent(self.above / self.records)
        yield f"at a risk above {show_risk(self.limit)}", f"{self.above:,} people ({risky})"
        yield "estimator", str(self.estimator)

    @property
    def advice(self) -> list[str]:
        """What to do, line by line."""
        lines = [f"{number}. {each}" for number, each in enumerate(self.first, 1)]
        return ["What to do first:", *(f"  {line}" for line in lines)] if lines else []

    def _remarks(self) -> list[str]:
        return self.advice[1:]

    def _picture(self) -> str:
        return ""

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "profile": self.profile,
            "records": self.records,
            **({} if self.unit == "records" else {"unit": self.unit}),
            "identifiers": list(self.identifiers),
            "keys": list(self.keys),
            "estimator": self.estimator,
            "limit": self.limit,
            "expected": self.expected,
            "above": self.above,
            "first": list(self.first),
        }


def check_file(
    opened: Study,
    profile: ProfileName = USUAL_PROFILE,
    *,
    progress: Progress = silent,
    **roles: Any,
) -> FileCheck:
    """Say what a file would give away if it went out as it is.

    Args:
        opened: The file; its first scenario counts if it has one.
        profile: Who would get it.
        progress: Progress callback.
        **roles: Keys, weight and household that were named.
    """
    usual = find_profile(profile)
    words = find_missing_values(opened, progress=progress)
    read = treat_as_missing(opened, words)
    if not read.scenarios:
        found = read.describe(progress=progress)
        read = propose_scenario(read, found, **roles, progress=progress)
    scenario = read.scenario()
    risk = read.risk(limit=usual.record_risk, one_estimator=True, progress=progress)
    assert risk.limit is not None  # noqa: S101
    listed = read.inventory(progress=progress)
    identifiers = tuple(
        row.name
        for row in listed.by_group().get("direct identifier", ())
        if row.name not in (scenario.household, scenario.person)
    )
    first = [*_list_variables_to_leave_out(listed, identifiers)]
    if above := risk.limit.unsafe:
        are = "person is" if above == 1 else "people are"
        first.append(
            f"{above:,} {are} above {show_risk(usual.record_risk)}: recode or suppress keys."
        )
    if scenario.person is None and (panel := find_panel(read.engine)):
        first.append(
            f"Say whether {panel[0]} is the person: rows seem to repeat persons, and the figures "
            "here take each for somebody else."
        )
    if usual.drops_household and scenario.household:
        first.append(f"Leave out {scenario.household}: who lives with whom tells families.")
    first += [each.question for each in words]
    return FileCheck(
        source=opened.schema.source,
        profile=profile,
        records=risk.n,
        identifiers=identifiers,
        keys=scenario.keys,
        estimator=scenario.estimator,
        limit=usual.record_risk,
        expected=risk.expected,
        above=above,
        first=tuple(first),
        unit=risk.unit,
    )


def _list_variables_to_leave_out(found: Inventory, identifiers: Sequence[str]) -> Iterator[str]:
    if identifiers:
        yield f"Leave out {shorten_list(identifiers)}: they name people or places."
    for group in _LEFT_OUT:
        names = [row.name for row in found.by_group().get(group, ()) if row.open]
        if names:
            yield f"Leave out or coarsen {shorten_list(names)}: {GROUPS[group].title.lower()}."
