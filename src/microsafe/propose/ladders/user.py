"""Ladders that a person gives: widths of bins, steps, files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import cast

from microsafe.engine.transformations import numbers_of
from microsafe.errors import UsageError
from microsafe.io.argus.grc import read_grc
from microsafe.propose.ladders.hierarchy_files import classification_rungs, read_hierarchy
from microsafe.propose.ladders.ladder import Rung, as_values
from microsafe.propose.ladders.number_rungs import bin_step, is_whole
from microsafe.schema import Variable
from microsafe.steps.change import Change
from microsafe.steps.recode import recode_from_grc

RungSource = int | float | str | os.PathLike[str] | Change | Rung
LadderSource = RungSource | Sequence[RungSource]


def read_rungs(
    variable: Variable,
    categories: Sequence[str],
    given: LadderSource,
    *,
    folder: Path | None = None,
) -> list[Rung]:
    """Return the rungs that a person gives for a key.

    Args:
        variable: The key.
        categories: Its categories.
        given: From the finest rung to the broadest, or one of them alone: the width of bins, a
            step, with words for it or without, a `.grc` file of mu-ARGUS, or a hierarchy file,
            which has a rung for each of its levels. So has a `Recode` by a classification that
            names no level.
        folder: Where files are, unless their path says it.

    Raises:
        UsageError: Something else is given, or a width is not a multiple of the one before.
    """
    alone = isinstance(given, int | float | str | os.PathLike | Change | Rung)
    each_of = cast("Sequence[RungSource]", [given] if alone else given)
    rungs: list[Rung] = []
    width = None
    for each in each_of:
        before, width = width, None
        if isinstance(each, int | float) and not isinstance(each, bool):
            _check_width(variable.name, each, before, len(rungs) + 1)
            width = each
        rungs += _expand(variable, categories, each, folder)
    return rungs


def _expand(
    variable: Variable, categories: Sequence[str], given: object, folder: Path | None
) -> Iterator[Rung]:
    match given:
        case bool():
            pass
        case int() | float():
            yield from _bins(variable, categories, given)
            return
        case Rung():
            yield given
            return
        case Change():
            levels = getattr(given, "classification", None)
            if levels is None or getattr(given, "level", None) is not None:
                yield Rung(given, given.in_words())
                return
            parents = cast("Sequence[Mapping[str, str]]", levels)
            other = cast("str | None", getattr(given, "other", None))
            yield from classification_rungs(variable.name, parents, other=other)
            return
        case str() | os.PathLike():
            path = Path(given) if folder is None else folder / given
            if path.suffix.lower() == ".grc":
                yield Rung(recode_from_grc(read_grc(path), variable.name), path.name)
            else:
                yield from read_hierarchy(path, variable)
            return
    raise UsageError(
        f"A rung of {variable.name!r} must be the width of bins, a step, a .grc file or a "
        "hierarchy file."
    )


def _check_width(key: str, width: float, before: float | None, place: int) -> None:
    if not 0 < width < float("inf"):
        raise UsageError(f"Rung {place} of {key!r}: the width of bins must be above 0.")
    if before is not None and Decimal(str(width)) % Decimal(str(before)):
        raise UsageError(
            f"Rung {place} of {key!r} (bins of {width:g}) parts groups of rung {place - 1} (bins "
            f"of {before:g}). Give widths of which each is a multiple of the one before, such as "
            "5, 10, 20."
        )


def _bins(variable: Variable, categories: Sequence[str], width: float) -> Iterator[Rung]:
    numbers = numbers_of(as_values(variable, categories))
    if numbers is None or not len(numbers):
        raise UsageError(
            f"{variable.name!r} holds text, which cannot be put into bins. Give it groups or a "
            "hierarchy file."
        )
    if width > 1 or not is_whole(numbers):  # whole numbers are bins of 1
        yield Rung(bin_step(variable, numbers, Decimal(str(width))), f"bins of {width:g}")
