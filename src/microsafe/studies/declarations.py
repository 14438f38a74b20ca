"""Apply codebooks, declarations and options for missing values to a study."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from microsafe.display import shorten_list
from microsafe.engine import Engine, declare_variables, find_marked_numbers, find_words
from microsafe.errors import InputError
from microsafe.notices import Notice, make_notice
from microsafe.options.declaration import Declaration, Declarations
from microsafe.progress import Progress, silent
from microsafe.schema import Schema
from microsafe.studies.state import StudyState

AUTO = "auto"  # words for missing are looked for


def read_declarations(
    codebook: str | Path | None, schema: Schema
) -> tuple[tuple[Notice, ...], Declarations]:
    """Return what a codebook says of the variables that are there, and what to know of it."""
    if codebook is None:
        return (), {}
    from microsafe.io import read_codebook  # and what reads XML

    said = read_codebook(codebook)
    here = {name: value for name, value in said.items() if name in schema}
    names = set(schema.names)
    here = {
        name: replace(value, linked=tuple(other for other in value.linked if other in names))
        for name, value in here.items()
    }
    others = [name for name in said if name not in names]
    if not here:
        raise InputError(
            f"{Path(codebook).name} says nothing of the variables of {schema.source}. Check that "
            "it is the codebook of this file."
        )
    notice = make_notice(
        "codebook-others", codebook=Path(codebook).name, names=shorten_list(others)
    )
    return (notice,) if others else (), here


def find_declarations(
    engine: Engine,
    variables: Declarations,
    *,
    auto: bool,
    decimal: str,
    thousands: str,
    progress: Progress,
) -> Declarations:
    """Return what is said of variables, by each and by what holds for the whole file.

    Args:
        engine: The data as read.
        variables: What a person says of each.
        auto: Whether words for missing are taken as such where other values are numbers.
        decimal: Decimal mark of the file, if it is given.
        thousands: Its thousands mark, likewise.
        progress: Progress callback.
    """
    said = dict(variables)
    marks = {"decimal": decimal, "thousands": thousands}
    words = find_words(engine, progress=progress, **marks) if auto else {}
    for name, found in words.items():
        one = said.get(name, Declaration())
        if one.missing is None:
            said[name] = replace(one, missing=found)
    if not decimal and not thousands:
        return said
    read = declare_variables(engine, {n: Declaration(missing=e.missing) for n, e in said.items()})
    marked = find_marked_numbers(read, decimal, thousands, progress=progress)
    for name in {**said, **dict.fromkeys(marked)}:
        one = said.get(name, Declaration())
        if one.type is None and name in marked:
            one = replace(one, type="number")
        if one.type == "number":
            said[name] = replace(
                one, decimal=one.decimal or decimal, thousands=one.thousands or thousands
            )
    return said


def propose_declarations(
    study: StudyState, names: Iterable[str] | None = None, *, progress: Progress = silent
) -> dict[str, Declaration]:
    """Return what the values suggest to declare (see `Study.propose_declarations`)."""
    found = {}
    for name, words in find_words(study.engine, names, progress=progress).items():
        said = study.declarations.get(name, Declaration())
        found[name] = replace(said, missing=(*study.schema[name].missing, *words))
    return found
