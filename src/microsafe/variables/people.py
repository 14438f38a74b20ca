"""How many persons or households records are of, by the numbers of these that a file has."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from microsafe.schema import Schema
from microsafe.variables.meanings import HOUSEHOLDS, RECORDS
from microsafe.variables.traits import Traits
from microsafe.variables.vocabulary import plain_words, says

_FEWEST = 20  # different numbers
_MOST_RECORDS = 50.0  # of one person or household
_REPEATED = 0.95  # numbers as a share of the records, above which each record is of its own


def with_people(
    schema: Schema, traits: Sequence[Traits], named: Collection[str] = ()
) -> tuple[Traits, ...]:
    """Return traits that know how many persons or households the records are of.

    What is different for each of them names them as surely as what is different in each record.

    Args:
        schema: Names, and what the file declares.
        traits: Of all variables.
        named: Numbers of persons or households by the scenarios.
    """
    numbers = [trait for trait in traits if _numbers_people(schema, trait, named)]
    counts = [number.distinct for number in numbers]
    own = {number.name for number in numbers}
    return tuple(
        trait
        if trait.name in own
        else replace(trait, people=min((n for n in counts if n >= trait.distinct), default=None))
        for trait in traits
    )


def _numbers_people(schema: Schema, traits: Traits, named: Collection[str]) -> bool:
    """Tell whether a variable numbers persons or households that have several records."""
    repeated = traits.records and traits.distinct <= _REPEATED * traits.records
    if not repeated or traits.distinct <= _FEWEST or traits.repeats > _MOST_RECORDS:
        return False
    name, role = traits.name, schema[traits.name].role
    code = plain_words(name).replace(" ", "")
    return (
        name in named
        or role in ("household", "identifier")
        or code in RECORDS | HOUSEHOLDS
        or says(name, "record id")
        or says(name, "household")
    )
