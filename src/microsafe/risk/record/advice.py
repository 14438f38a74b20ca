"""Notices that teach: what in the file or the scenario makes the figures doubtful."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from microsafe.risk.record.limit import Limit
from microsafe.risk.record.measure import Measured
from microsafe.scenario import Scenario

_ENORMOUS = 10.0  # times the median weight
_ALMOST_IDENTIFIER = 0.5  # categories per record
_ENOUGH_RECORDS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something a person should know before trusting the figures.

    Attributes:
        topic: One word to sort by: weight, missing, key, household, file.
        text: What is so, why it matters, what to try.
    """

    topic: str
    text: str

    def __str__(self) -> str:
        """Return the text."""
        return self.text


def weight_notices(
    measured: Measured, scenario: Scenario, *, median: float, all_one: bool, clipped: int
) -> Iterator[Notice]:
    """Look at the weights."""
    if scenario.weight is None or all_one:
        what = "There is no sampling weight" if scenario.weight is None else "All weights are 1"
        yield Notice(
            topic="weight",
            text=f"{what}: the file is taken for the whole population and risk is 1/f. "
            "For a sample, name the weight that says how many people each record stands for.",
        )
        return
    if clipped:
        yield Notice(
            topic="weight",
            text=f"Weights below 1 that were raised to 1: {clipped:,}. A weight is a number of "
            "people; check whether these weights were scaled to the sample size.",
        )
    heavy = (measured.f == 1) & (measured.F / median > _ENORMOUS)
    if heavy.any():
        yield Notice(
            topic="weight",
            text=f"Sample uniques with more than {_ENORMOUS:.0f} times the median weight: "
            f"{measured.count(heavy):,}. Their risk is small only because a single weight says "
            "that many others are like them; look at these records before you trust it.",
        )


def missing_notices(
    measured: Measured, scenario: Scenario, limit: Limit | None
) -> Iterator[Notice]:
    """Look at what rests on missing keys."""
    if scenario.missing == "category":
        return
    helped = measured.gapless > measured.risk
    if not helped.any():
        return
    if limit is not None:
        owing = measured.count((measured.gapless > limit.limit) & (measured.risk <= limit.limit))
        said = "are within the limit"
    else:
        owing = measured.count(helped & (measured.gapless > 2 * measured.risk))
        said = "have less than half the risk they would have otherwise,"
    if owing:
        yield Notice(
            topic="missing",
            text=f"Records that {said} only because keys are missing in other records: "
            f"{owing:,}. "
            "See what is left with missing='category' or a smaller alpha.",
        )


def key_notices(measured: Measured) -> Iterator[Notice]:
    """Look for keys that tell nearly every record apart."""
    records = measured.cells.records
    for key, categories in zip(measured.cells.keys, measured.cells.categories, strict=True):
        if records >= _ENOUGH_RECORDS and len(categories) > _ALMOST_IDENTIFIER * records:
            yield Notice(
                topic="key",
                text=f"Key {key!r} has {len(categories):,} categories in {records:,} records: "
                "it is almost an identifier. Drop it, or recode it before measuring.",
            )


def readable_notice(keys: Sequence[str]) -> Notice:
    """Say that blanks can be read off other members of the household."""
    return Notice(
        topic="household",
        text=f"Blanked in some members of a household only: {', '.join(keys)}. All members share "
        "the value, so whoever sees who lives together can read it off the others. Suppress with "
        "a limit on household risk, which blanks such keys in all members, or drop the household.",
    )


def household_notices(
    scenario: Scenario, *, unassigned: int, size_key: str | None, largest: int
) -> Iterator[Notice]:
    """Look at the households."""
    if unassigned:
        yield Notice(
            topic="household",
            text="Records without a household id, each taken as a household of one: "
            f"{unassigned:,}.",
        )
    if size_key is None and largest > 1:
        yield Notice(
            topic="household",
            text="No key holds the size of the household, but anybody can count the records that "
            f"share a {scenario.household!r}. Add household size to the keys.",
        )
