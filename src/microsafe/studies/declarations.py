"""The verbs of a study that say what its variables are; `Study` mounts them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.display import shorten_list
from microsafe.engine import Engine, declare_variables, find_marked_numbers, find_words
from microsafe.errors import InputError, UsageError
from microsafe.io import read_codebook
from microsafe.metadata import Declaration, Declarations, check_roles, find_defaults
from microsafe.notices import Notice, make_notice
from microsafe.progress import Progress, silent
from microsafe.schema import Schema

if TYPE_CHECKING:
    from microsafe.study import Study

AUTO = "auto"  # words for missing are looked for


def declare(self: Study, variables: Mapping[str, Declaration]) -> Study:
    """Return the study in which something is said of variables, before any step.

    A declaration takes the place of an earlier one of the same variable; `Declaration()` takes it
    back. If the study has no scenario and keys are declared, the scenario is made of the roles.

    Args:
        variables: What is said, by name.

    Raises:
        UsageError: A step was taken: go back to the data as read (`rollback(0)`) first.
        UnknownVariableError: A variable is not there.
        InputError: Values are not what they are declared to be.

    Example:
        >>> import microsafe as ms
        >>> s = ms.study("lfs.csv")  # doctest: +SKIP
        >>> s.declare({"age": ms.Declaration(type="number", missing=("NA",))})  # doctest: +SKIP
    """
    if self.steps:
        raise UsageError(
            "Variables are declared before the first step. Go back to the data as read "
            "(rollback(0)), declare, and take the steps again."
        )
    said = {**self.declarations, **variables}
    said = {name: each for name, each in said.items() if each != Declaration()}
    check_roles(said)
    as_read = self._as_read or self.engine
    for name in variables:
        as_read.schema[name]
    engine = declare_variables(as_read, said)
    made = replace(self, engine=engine, declarations=said, _as_read=as_read, _models={})
    roles = find_defaults(said)
    if made.scenarios or not roles.keys:
        return made
    return made.with_scenario(
        "main", keys=roles.keys, weight=roles.weight, household=roles.household
    )


def read_declarations(
    codebook: str | Path | None, schema: Schema
) -> tuple[tuple[Notice, ...], Declarations]:
    """Return what a codebook says of the variables that are there, and what to know of it."""
    if codebook is None:
        return (), {}
    said = read_codebook(codebook)
    here = {name: each for name, each in said.items() if name in schema}
    names = set(schema.names)
    here = {
        name: replace(each, linked=tuple(other for other in each.linked if other in names))
        for name, each in here.items()
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
    self: Study, names: Iterable[str] | None = None, *, progress: Progress = silent
) -> dict[str, Declaration]:
    """Return what the values suggest to declare, on top of what is declared already.

    Words such as NA in a column of numbers are proposed as missing. `study.declare` takes all of
    it, or a part.

    Args:
        names: Which variables to look at; all if None.
        progress: Progress callback.
    """
    found = {}
    for name, words in find_words(self.engine, names, progress=progress).items():
        said = self.declarations.get(name, Declaration())
        found[name] = replace(said, missing=(*self.schema[name].missing, *words))
    return found


def declare_alike(self: Study, other: Study) -> Study:
    """Return another state of the same data with what is said of this one, as far as it holds.

    A variable that was recoded to text is no number any more.

    Args:
        self: With what is said.
        other: Such as the released file.
    """
    for name, said in self.declarations.items():
        if name not in other.schema:
            continue
        made = other.declare({name: replace(said, role=None, linked=(), order=())})
        try:
            made.engine.values(name)
        except InputError:
            made = other.declare({name: Declaration(missing=said.missing)})
        other = made
    return other
