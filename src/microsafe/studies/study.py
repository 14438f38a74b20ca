"""`Study`, the whole of its verbs, and `study`, which opens a file or a frame as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from microsafe.engine import EngineName, Memory, open_engine
from microsafe.errors import UsageError
from microsafe.options.declaration import Declaration, find_defaults, merge_declarations
from microsafe.options.parameter import variable_names
from microsafe.options.scenario import Attack, Estimator, LowWeights, Missing
from microsafe.progress import Progress, silent
from microsafe.studies.declarations import AUTO, find_declarations, read_declarations
from microsafe.studies.release import ReleaseVerbs


class Study(ReleaseVerbs):
    """Data and the scenarios under which its risk is measured.

    It never changes: a verb that protects returns a new one.

    Attributes:
        engine: Where the records are.
        scenarios: Key sets with their assumptions; the first is the default.
        notices: What to know about how the data were read.
        steps: What was done to the data so far.
        declarations: What persons said of variables, by name.
    """

    __slots__ = ()


def study(
    data: object,
    *,
    keys: Iterable[str] = (),
    weight: str | None = None,
    household: str | None = None,
    missing: Missing = "wildcard",
    alpha: float = 1.0,
    attack: Attack = "all",
    factor: float = 1.0,
    error: Mapping[str, float] | None = None,
    low_weights: LowWeights = "refuse",
    estimator: Estimator = "cell",
    why: str = "",
    meta: str | Path | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    comment: str | None = None,
    na: Sequence[str] = (),
    sheet: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    join: object = None,
    on: str | None = None,
    join_sheet: str | None = None,
    variables: Mapping[str, Declaration] | None = None,
    codebook: str | Path | None = None,
    engine: EngineName = "local",
    master: str | None = None,
    most_cells: int | None = None,
    memory: str | int | Memory | None = None,
    progress: Progress = silent,
) -> Study:
    """Open a file or a frame for study.

    Args:
        data: Path of a file (.csv, .parquet, .sav, .dta, .sas7bdat, .xpt, .xlsx, .rds, mu-ARGUS
            .asc), or a pandas, Polars or PyArrow frame. With `engine="spark"` also a Spark frame,
            the name of a table, or a folder of Parquet files.
        keys: Variables that an intruder may know of a person; those that are declared to be keys
            if none is named.
        weight: Sampling weight; the one that is declared if None.
        household: Household identifier; likewise.
        missing: `"wildcard"`, `"category"` or `"expected"` (see `Scenario`).
        alpha: How much a match that rests on a gap of the other record counts.
        attack: `"all"`, `"random"`, `"ratio"` or `"weight"`.
        factor: Multiplies every risk.
        error: Chance, by key, that it is recorded with error.
        low_weights: `"refuse"` weights below 1, or `"clip"` them to 1.
        estimator: `"cell"` or `"model"` (see `Scenario`).
        why: Why this scenario, written to the plan and the report.
        meta: Metadata of a fixed-width file (.rda), if not beside it.
        encoding: Of a text file; detected if None.
        separator: Of a text file; detected if None.
        comment: Character that lines of a text file begin with which are left out, such as "#".
        na: Texts that stand for missing; `"auto"` for the usual words (NA, ., k.A. and so on) in
            variables that hold numbers otherwise.
        sheet: Of a workbook, the first if None; or data frame of an `.RData` file.
        decimal: Decimal mark of numbers that are written as text, `"."` or `","`. Variables that
            hold nothing but such numbers are read as numbers.
        thousands: Their thousands mark, likewise.
        join: File or frame of the households of persons: each person gets the variables of its
            household. `encoding`, `separator` and `na` hold for both files.
        on: Variable that both have, and that tells households apart.
        join_sheet: Of the workbook of households; the first if None.
        variables: What is said of variables, by name (see `Declaration`).
        codebook: File that says it: a codebook in CSV, DDI-Codebook (.xml) or .rda of mu-ARGUS.
            Of variables that the file does not have nothing is taken; `variables` count more.
        engine: Where records are kept and counted: `"local"`, on this machine, or `"spark"`.
        master: Where Spark runs, such as `"local[4]"`, `"yarn"` or `"sc://host"`; by default the
            session in use, or all cores of this machine.
        most_cells: Combinations of keys that Spark may send to this machine; 20 million if None.
        memory: Most memory that the embedded engine may use, such as `"4GB"`, or bytes; what does
            not fit waits in private files, or is refused. `Memory` of another study if both are
            to keep to one limit. No limit if None.
        progress: Progress callback, used while a text file is checked.

    Example:
        >>> import microsafe as ms
        >>> s = ms.study("lfs.sav", keys=["region", "age"], weight="w")  # doctest: +SKIP
        >>> s.risk()  # doctest: +SKIP
    """
    codes = (na,) if isinstance(na, str) else tuple(na)
    auto = AUTO in codes
    codes = tuple(code for code in codes if code != AUTO)
    found = open_engine(
        data,
        engine=engine,
        master=master,
        most_cells=most_cells,
        memory=memory,
        progress=progress,
        meta=meta,
        encoding=encoding,
        separator=separator,
        comment=comment,
        na=codes,
        sheet=sheet,
        decimal=decimal,
        thousands=thousands,
        join=join,
        on=on,
        join_sheet=join_sheet,
    )
    read: dict[str, Any] = {"meta": meta, "encoding": encoding, "separator": separator}
    read |= {"na": codes, "sheet": sheet}
    read |= {"comment": comment, "decimal": decimal, "thousands": thousands}
    read |= {"join": join, "on": on, "join_sheet": join_sheet}
    files = isinstance(data, str | Path) and isinstance(join, str | Path | None)
    file = {"file": data, **read} if files else {}
    notices, written = read_declarations(codebook, found.schema)
    made = Study(engine=found, notices=(*found.notices, *notices), _input=file)
    said = find_declarations(
        found,
        merge_declarations(written, variables or {}),
        auto=auto,
        decimal=decimal or "",
        thousands=thousands or "",
        progress=progress,
    )
    given = (keys := variable_names(keys)) or weight is not None or household is not None
    made = made.declare(said) if said else made
    roles = find_defaults(made.declarations)
    if said and not given and not roles.keys:
        return made
    keys, weight = keys or roles.keys, weight or roles.weight
    household = household or roles.household
    if not keys:
        if weight is not None or household is not None:
            raise UsageError("A weight or household belongs to a scenario: name its keys too.")
        return made
    return replace(made, scenarios=()).with_scenario(
        "main",
        keys=keys,
        weight=weight,
        household=household,
        missing=missing,
        alpha=alpha,
        attack=attack,
        factor=factor,
        error=error or {},
        low_weights=low_weights,
        estimator=estimator,
        why=why,
    )
