"""Whose risk it is: sentences on records, as they are where persons have several."""

from __future__ import annotations

from collections.abc import Collection

from microsafe.report.content import RiskBeforeAndAfter
from microsafe.report.texts import mark, say

_PERSONS = dict(
    mark(
        (
            ("Sample uniques, records", "Sample uniques, persons"),
            ("Average cell size, records", "Average cell size, persons"),
            ("Largest risk of a record", "Largest risk of a person"),
            ("Expected re-identifications, records", "Expected re-identifications, persons"),
            ("Records", "Persons"),
            ("records", "persons"),
            ("risk of re-identification of a record", "risk of re-identification of a person"),
            (
                "before: {unsafe} of {all} records above the limit",
                "before: {unsafe} of {all} persons above the limit",
            ),
            (
                "after: {unsafe} of {all} records above the limit",
                "after: {unsafe} of {all} persons above the limit",
            ),
            ("Records above it", "Persons above it"),
            ("Records above the limit", "Persons above the limit"),
            (
                "Records above the limit: {before} before, {after} after.",
                "Persons above the limit: {before} before, {after} after.",
            ),
            (
                "Records by risk of re-identification, before and after, on one axis.",
                "Persons by risk of re-identification, before and after, on one axis.",
            ),
            (
                "Histograms of the risk of records under scenario {scenario}: largest risk "
                "{before} before and {after} after protection.",
                "Histograms of the risk of persons under scenario {scenario}: largest risk "
                "{before} before and {after} after protection.",
            ),
            (
                "The risk of a record was estimated {ways}.",
                "The risk of a person was estimated {ways}.",
            ),
            ("Fewest records that share their keys", "Fewest persons who share their keys"),
        )
    )
)


def say_unit(unit: str, text: str, **figures: object) -> str:
    """Say a sentence on records, of persons where the risk is theirs.

    Args:
        unit: What is counted: "records" or "persons".
        text: As it is of records.
        **figures: Of the sentence.
    """
    return say(_PERSONS[text] if unit == "persons" else text, **figures)


def find_units(measured: Collection[RiskBeforeAndAfter]) -> dict[str, str]:
    """Return what is counted, by scenario."""
    return {each.after.scenario.name: each.after.unit for each in measured}
