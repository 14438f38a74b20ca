"""Read and write Stata files (.dta)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from microsafe.errors import InputError
from microsafe.io.column_types import is_whole
from microsafe.io.readstat.package_file import PackageDialect, open_package, value_labels
from microsafe.io.readstat.package_limits import (
    StatPackage,
    declared_width,
    has_fractions,
    longest_width,
    numeric_labels,
)
from microsafe.io.readstat.readstat_fixes import fix_file, iconv_name
from microsafe.io.stata import _release_118

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from microsafe.io.source import Source
    from microsafe.io.write_request import WriteRequest
    from microsafe.schema import Code, Variable

_PACKAGE = StatPackage(
    name="Stata",
    epoch=3653,
    per_day=1,
    per_second=1000,
    identifier=re.compile(
        r"(?!(?:_all|_b|_n|_N|_cons|_pi|_pred|_rc|_skip|byte|double|float|if|in|int|long|str\d*|"
        r"strL|using|with)$)[^\W\d]\w{0,31}"
    ),
    name_limit=128,
    caseless=False,
    label_limit=320,
    title_limit=320,
    text_limit=2_000_000_000,
)
_MOST_VARIABLES = 32_767
_LABEL_SIGNS = 80
_VALUE_LABEL = 32_000
# A time of day and no day.
_CLOCK = re.compile(r"%-?t[cC](?:[Hh]{2}|[Mm]{2}|[Ss]{2}|\.s{1,3}|[:_,!]|[AaPp]\.?[Mm]\.?)+")
_INTEGERS = ("int8", "int16", "int32")


def read(path: Path, *, encoding: str | None = None) -> Source:
    """Open a Stata file.

    The missing values . and .a to .z are all null in the data. What .a to .z stand for is
    kept in `Variable.extra` under "missing.a" to "missing.z"; where they stand is looked up
    when the file is written again.
    """
    return open_package(path, "read_dta", _describe, kind="a Stata file", encoding=encoding)


def write(request: WriteRequest) -> None:
    """Write a file of release 118 with all that the schema knows.

    A value that is null and was one of .a to .z in the origin is the same again.
    """
    _PACKAGE.check_schema(request.schema)
    if len(request.schema.variables) > _MOST_VARIABLES:
        raise InputError(
            f"{request.path.name} would have more than {_MOST_VARIABLES} variables, the most that "
            "Stata can hold. Drop some, or write another format."
        )
    tagged = _find_tags(request)
    columns = [
        _text(c, request.schema[c.name])
        if c.dtype == pl.String
        else _numbers(
            c,
            request.schema[c.name],
            tagged.get(c.name),
            request.tags.get(c.name),
            prune=request.prune,
        )
        for c in request.frame
    ]
    title, notes = _PACKAGE.split_notes(request)
    with request.path.open("wb") as file:
        _release_118.write(file, columns, request.frame.height, title, notes)


def as_stored(column: pl.Series) -> pl.Series:
    """Return a column as the file holds it."""
    return _PACKAGE.compare_column(column)


def _find_tags(request: WriteRequest) -> Mapping[str, pl.Series]:
    """Return where the origin has .a to .z, by variable: the letter, or null."""
    dialect = request.origin.dialect if request.origin else None
    if (
        not isinstance(dialect, PackageDialect)
        or not request.origin
        or not _has_tags(request.origin)
    ):
        return {}
    known = [v.name for v in request.schema if v.kind != "text" and v.name in request.origin.schema]
    if not known:
        return {}
    _, frame = dialect.ask("microsafe.io.stata.dta:read_tags", names=known)
    assert frame is not None  # noqa: S101
    return {column.name: request.align_column(column) for column in frame}


def read_tags(path: str, encoding: str | None, names: list[str]) -> tuple[None, pl.DataFrame]:
    """Return the letters of the tagged missing values; called in the process that reads."""
    import pyreadstat

    content, _ = fix_file(path, "read_dta", encoding)
    frame, meta = pyreadstat.read_dta(
        content,
        output_format="polars",
        encoding=iconv_name(encoding),
        usecols=names,
        user_missing=True,
        disable_datetime_conversion=True,
    )
    return None, pl.DataFrame(
        [
            pl.Series(
                name,
                [value if isinstance(value, str) else None for value in frame[name].to_list()],
                dtype=pl.String,
            )
            for name in meta.missing_user_values
        ]
    )


def _has_tags(origin: Source) -> bool:
    return origin.format is not None and origin.format.tags


def _text(column: pl.Series, variable: Variable) -> _release_118.StataColumn:
    values = _PACKAGE.store_column(column).fill_null("")
    width = max(longest_width(values), min(declared_width(variable), _release_118.LONGEST))
    long = width > _release_118.LONGEST or _was_long(variable)
    shown = variable.format if re.fullmatch(r"%[-~]?\d+s", variable.format) else ""
    cells = np.array(values.to_list() if long else [v.encode() for v in values], dtype=object)
    return _release_118.StataColumn(
        name=variable.name,
        label=_label(variable),
        format=shown or ("%9s" if long else f"%{min(max(width, 9), 244)}s"),
        kind=_release_118.LONG_TEXT if long else width,
        cells=cells if long else cells.astype(f"S{width}"),
    )


def _was_long(variable: Variable) -> bool:
    """Tell whether the text was a strL, of which ReadStat says only that it has no width."""
    stored = variable.extra.get("storage_type") == "string"
    return stored and variable.format.startswith("%") and "storage_width" not in variable.extra


def _numbers(
    column: pl.Series,
    variable: Variable,
    tagged: pl.Series | None,
    blank: str | None,
    *,
    prune: bool,
) -> _release_118.StataColumn:
    values = _PACKAGE.store_column(column)
    storage = _storage(values, variable)
    missing = values.is_null().to_numpy()
    tags: npt.NDArray[np.int8] = np.where(missing, 0, -1).astype(np.int8)
    if blank is not None:
        tags[missing] = ord(blank) - ord("`")
    if tagged is not None:
        tagged_rows = missing & tagged.is_not_null().to_numpy()
        tags[tagged_rows] = [ord(tag) - ord("`") for tag in tagged.filter(pl.Series(tagged_rows))]
    labels = {
        key.removeprefix("missing."): label
        for key, label in variable.extra.items()
        if re.fullmatch(r"missing\.[a-z]", key)
    }
    if prune:
        labels = {tag: label for tag, label in labels.items() if ord(tag) - ord("`") in tags}
    return _release_118.StataColumn(
        name=variable.name,
        label=_label(variable),
        format=_format(variable, column) or storage.shown,
        kind=storage.code,
        cells=_release_118.numbers(values.fill_null(0).to_numpy(), tags, storage),
        labels=_labels(variable),
        tags=labels,
    )


def _storage(values: pl.Series, variable: Variable) -> _release_118.NumericStorage:
    """Return the declared type if it holds the values, otherwise the next that does."""
    declared = variable.extra.get("storage_type", "")
    order = ["double"]
    if declared == "float":
        order = ["float", "double"]
    elif declared in _INTEGERS and is_whole(values):
        order = [*_INTEGERS[_INTEGERS.index(declared) :], "double"]
    elif declared != "double" and values.dtype.is_integer():
        order = [*_INTEGERS, "double"]
    for name in order:
        storage = _release_118.NUMBERS[name]
        if _holds(storage, values):
            return storage
    raise _PACKAGE.refusal(variable.name, "numbers beyond its range", "Change their unit")


def _holds(storage: _release_118.NumericStorage, values: pl.Series) -> bool:
    numbers = values.drop_nulls().to_numpy().astype(np.float64)
    if not numbers.size:
        return True
    if numbers.min() < storage.smallest or numbers.max() > storage.largest:
        return False
    return storage.dtype != "<f4" or bool((numbers.astype(np.float32) == numbers).all())


def _label(variable: Variable) -> str:
    if len(variable.label) > _LABEL_SIGNS:
        raise InputError(
            f"{variable.name} has a label of more than {_LABEL_SIGNS} characters, the most that "
            "Stata can hold. Shorten it in the input, or write another format."
        )
    return variable.label


def _labels(variable: Variable) -> Mapping[int, str]:
    labels = numeric_labels(variable)
    whole = _release_118.NUMBERS["int32"]
    if any(not c.is_integer() or not whole.smallest <= c <= whole.largest for c in labels):
        raise InputError(
            f"{variable.name} has labels of numbers that are not whole or too large, which "
            "Stata cannot hold. Recode them, or write another format."
        )
    if any(len(label.encode()) > _VALUE_LABEL for label in labels.values()):
        raise InputError(
            f"{variable.name} has a value label of more than {_VALUE_LABEL} bytes, the most that "
            "Stata can hold. Shorten it in the input, or write another format."
        )
    return {int(code): label for code, label in labels.items()}


def _format(variable: Variable, column: pl.Series) -> str:
    """Return the display format: the file's own if it is one of Stata and suits."""
    own, dtype = variable.format if len(variable.format.encode()) <= 56 else "", column.dtype
    if dtype == pl.Date:
        return own if re.match(r"%-?t?d", own) else "%td"
    if dtype == pl.Datetime:
        return own if re.match(r"%-?t[cC]", own) else "%tc"
    if dtype in (pl.Time, pl.Duration):
        shown = "%tcHH:MM:SS.sss" if has_fractions(column) else "%tcHH:MM:SS"
        return own if _CLOCK.fullmatch(own) else shown
    return own if re.fullmatch(r"%[^s]*", own) else ""


def _describe(meta: Any, variable: Variable) -> Variable:
    number = int if variable.kind == "integer" else float
    codes: dict[Code, str] = {}
    tags: dict[str, str] = {}
    for code, label in value_labels(meta, variable.name).items():
        if isinstance(code, str):
            tags[f"missing.{code}"] = label
        else:
            codes[number(code)] = label
    return replace(variable, labels=codes, extra={**variable.extra, **tags})
