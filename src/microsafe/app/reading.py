"""Read a file as a person says, and look at one variable before that is applied."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl

from microsafe.app.grouped_counts import read_numbers
from microsafe.app.masking import LEAST
from microsafe.app.messages import MOST_CATEGORIES
from microsafe.app.messages.message_builder import build_message
from microsafe.app.messages.metadata import VariableReading
from microsafe.app.messages.study import Variables
from microsafe.app.session import OpenFile, read_stamp
from microsafe.compare.number_plot_data import Axis, make_axis
from microsafe.engine import count_kinds
from microsafe.engine.transformations import ParsedNumbers
from microsafe.errors import InputError
from microsafe.io import digest
from microsafe.options.declaration import Declaration, Declarations, Type
from microsafe.options.reading import reading_options
from microsafe.options.scenario import Scenario
from microsafe.plan.model import Input
from microsafe.progress import Progress
from microsafe.schema import Kind, Variable, number_in
from microsafe.studies.categories import count_categories, is_telling, spell_labels
from microsafe.studies.study import Study, study
from microsafe.sums import Floats
from microsafe.variables.profile import Bin, CategoryCount, VariableProfile, profile_variable
from microsafe.variables.roles import likely_measure

MOST_SHOWN = 40  # categories of a variable: no more than a screen
_TYPES: Mapping[Kind, Type] = {"integer": "number", "number": "number", "date": "date"}
_PRIVATE = ("identifier", "id", "household", "weight")


def read_file(
    given: Input, progress: Progress, declarations: Declarations | None = None
) -> tuple[OpenFile, Study]:
    """Read a file and what is in it."""
    path = Path(given.file)
    stamp = read_stamp(path)
    said = declarations or {}
    given = _check_joined(given, progress)
    data = study(path, progress=progress, variables=said, **reading_options(given))
    data = check_declared(replace(data, scenarios=()), said)
    known = describe_file(data, progress)
    opened = OpenFile(
        input=replace(given, sha256=digest(path, progress=progress)),
        declarations=said,
        stamp=stamp,
        variables=known,
    )
    return opened, data


def _check_joined(given: Input, progress: Progress) -> Input:
    """Return how files are read, with the checksum of the households, which stays what it is."""
    if not given.join:
        return given
    path = Path(given.join)
    found = digest(path, progress=progress)
    if given.join_sha256 not in ("", found):
        raise InputError(
            f"{path.name} has changed since it was joined: its checksum differs. Restore the file, "
            "or open the data again."
        )
    return replace(given, join_sha256=found)


def read_again(
    opened: OpenFile,
    data: Study,
    given: Input,
    declarations: Declarations,
    progress: Progress,
) -> tuple[OpenFile, Study]:
    """Read the open file otherwise; only what is said of variables needs no reading.

    Args:
        opened: The file.
        data: As it was read, before any step.
        given: The same file, and how to read it.
        declarations: All that is said of variables.
        progress: Progress callback.

    Raises:
        InputError: Values are not what they are declared to be.
    """
    if given != opened.input:
        return read_file(given, progress, declarations)
    if declarations == opened.declarations:
        return opened, data
    data = declare(replace(data, scenarios=()), opened.declarations, declarations)
    known = describe_file(data, progress)
    return replace(opened, declarations=declarations, variables=known), data


def declare(data: Study, before: Declarations, now: Declarations) -> Study:
    """Return the study in which this is said of variables, and no longer what was said before."""
    gone = {name: Declaration() for name in before if name not in now}
    return check_declared(replace(data.declare({**gone, **now}), scenarios=()), now)


def check_declared(data: Study, declarations: Declarations) -> Study:
    """Return the study, sure that values are what they are declared to be."""
    for name, said in declarations.items():
        if said.type in ("number", "date"):
            data.engine.values(name)
    return data


def describe_file(data: Study, progress: Progress) -> Variables:
    """Look at every variable; roles are those that were declared, or else guessed."""
    found = data.describe(progress=progress)
    return Variables(
        records=data.engine.rows(),
        variables=tuple(
            _describe_numbers(data, _respect_keys(data, variable)) for variable in found
        ),
    )


def _describe_numbers(data: Study, found: VariableProfile) -> VariableProfile:
    """Add whether it holds numbers, be they written as text, and its level of measurement."""
    numeric = _is_numeric(data, found)
    measure = likely_measure(data.schema[found.name], numeric=numeric)
    return replace(found, numeric=numeric, measure=measure)


def _respect_keys(data: Study, found: VariableProfile) -> VariableProfile:
    """Where keys are declared, no others are proposed."""
    keys = data.roles.keys
    if not keys:
        return found
    if found.name in keys:
        return replace(found, role="key")
    if found.role != "key":
        return found
    return replace(found, role="other", place=None, combinations=None, uniques=None, adds=None)


def _is_numeric(data: Study, variable: VariableProfile) -> bool:
    """Whether a variable holds numbers; in some files they are written as text."""
    if variable.kind != "text":
        return variable.kind in ("integer", "number")
    numbers = map(number_in, data.engine.categories(variable.name))
    return variable.distinct > 0 and all(n is not None and math.isfinite(n) for n in numbers)


def preview_reading(
    data: Study, name: str, said: Declaration, progress: Progress, *, private: bool
) -> VariableReading:
    """Return one variable as it would be read if this was said of it.

    Args:
        data: As it was read, before any step.
        name: Of the variable.
        said: What would be said of it.
        progress: Progress callback.
        private: Whether its values tell people apart.
    """
    start = replace(data, scenarios=())
    hidden = private or said.role in _PRIVATE
    fault, others = "", 0
    odd: tuple[CategoryCount, ...] = ()
    try:
        made = check_declared(start.declare({name: said}), {name: said})
    except InputError as error:
        fault = str(error)
        made = start.declare({name: _leave_out_type(said)})
        if not hidden:
            odd, others = _find_odd(made, name, said, progress)
    variable = made.schema[name]
    table = _count_values(made, variable, progress, private=hidden)
    labels = spell_labels(variable)
    kinds = count_kinds(made.engine, made.engine.traits([name]), progress=progress)
    numbers, texts = kinds.get(name, (None, None))
    shown = table.categories if len(table.categories) <= MOST_SHOWN or not table.bins else ()
    return build_message(
        VariableReading,
        replace(
            table,
            type=said.type or _find_type(variable, table),
            categories=shown[:MOST_SHOWN],
            bins=() if shown else table.bins,
            numbers=numbers,
            texts=texts,
            fault=fault,
        ),
        missing_labels={code: labels.get(code, "") for code in table.missing_codes},
        odd=odd,
        odd_others=others,
    )


def _count_values(
    made: Study, variable: Variable, progress: Progress, *, private: bool
) -> VariableProfile:
    """Count categories; of numbers with very many values only bins, which is faster."""
    name = variable.name
    if variable.kind in ("integer", "number") and not variable.labels:
        values = read_numbers(made, name, progress)
        known = np.zeros(0) if values is None else np.sort(values[~np.isnan(values)])
        total = int(np.count_nonzero(np.diff(known))) + 1
        if total > MOST_CATEGORIES:
            axis = None if private else make_axis([known], MOST_SHOWN)
            found = profile_variable(variable, total, made.engine.rows() - len(known))
            bins = () if axis is None else tuple(_count_bins(axis, known))
            return replace(found, numeric=True, bins=bins)
    return count_categories(
        made.engine, name, most=MOST_CATEGORIES, private=private, progress=progress
    )


def _count_bins(axis: Axis, values: Floats) -> Iterator[Bin]:
    counts = np.bincount(axis.place(values), minlength=axis.bins).tolist()
    for (low, high), records in zip(pairwise(axis.edges), counts, strict=True):
        yield Bin(low=low, high=high, records=records)


def _leave_out_type(said: Declaration) -> Declaration:
    return replace(said, type=None, decimals=None, decimal="", thousands="", dates="", order=())


def _find_odd(
    made: Study, name: str, said: Declaration, progress: Progress
) -> tuple[tuple[CategoryCount, ...], int]:
    """Return the values that are not what is declared, but for those of few records."""
    cells = made.engine.cells(Scenario(keys=(name,)), progress=progress)
    texts = pl.Series(list(cells.categories[0]), dtype=pl.String)
    records = np.bincount(cells.codes[0], cells.count, len(texts) + 1)[1:].astype(np.int64)
    rule = (
        ParsedNumbers(dates=said.dates or "%Y-%m-%d")
        if said.type == "date"
        else ParsedNumbers(decimal=said.decimal or ".", thousands=said.thousands)
    )
    odd = np.flatnonzero(rule.parse(texts).is_null().to_numpy() & (records > 0))
    labels = spell_labels(made.schema[name])
    if is_telling([texts[at] for at in odd.tolist()], labels, made.engine.rows()):
        return (), len(odd)
    often = odd[records[odd] >= LEAST]
    often = often[np.argsort(-records[often], kind="stable")][:MOST_SHOWN]
    found = tuple(
        CategoryCount(code=str(texts[at]), label="", records=int(records[at]))
        for at in often.tolist()
    )
    return found, len(odd) - len(found)


def _find_type(variable: Variable, table: VariableProfile) -> Type:
    coded = variable.labels and variable.measure != "scale"
    if coded or variable.measure in ("nominal", "ordinal"):
        return "category"
    if variable.kind in _TYPES:
        return _TYPES[variable.kind]
    if table.numeric:
        return "number"
    return "category" if table.categories or not table.distinct else "text"
