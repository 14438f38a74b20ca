"""Codebook of a written file: what its users need, for values that occur in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import polars as pl

from microsafe.errors import UsageError
from microsafe.io.codebook._declare import declare_schema
from microsafe.io.codebook._files import check_codebook, format_codebook
from microsafe.io.formats import ARGUS, DELIMITED_TEXT, find_format, find_stem
from microsafe.io.load import read
from microsafe.io.pruning import is_coded, prune_schema
from microsafe.io.text.csv import CsvDialect
from microsafe.options.declaration import Declaration

if TYPE_CHECKING:
    from microsafe.io.source import Source
    from microsafe.schema import Schema

_ROWS = 100_000
_TOLD = ("weight", "household", "geography", "stratum")  # roles that those who tabulate ask for


def check_released(name: str, file: str) -> None:
    """Refuse a codebook that cannot describe a file of that name.

    Raises:
        UsageError: It cannot.
    """
    form = find_format(PurePath(file))
    if check_codebook(PurePath(name)) != ".rda":
        return
    if form is ARGUS:
        raise UsageError(f"{file} has metadata of its own. Leave out the codebook {name!r}.")
    if form is not DELIMITED_TEXT:
        raise UsageError(
            f"A .rda codebook describes delimited text. Write {file} as .csv, or the codebook as "
            ".csv or .xml."
        )


def describe_released(
    name: str, path: Path, schema: Schema, declared: Mapping[str, Declaration]
) -> Mapping[str, bytes]:
    """Return the files of a codebook by their names.

    Args:
        name: Of the codebook.
        path: The file that was written.
        schema: What is known of its variables.
        declared: What was said of them. Levels, costs and links are how the file was protected,
            which its users need not know.
    """
    source = read(path)
    coded = [v.name for v in schema if is_coded(v)]
    pruned = prune_schema(
        schema, lambda: _go_through(source, schema, coded), blanks={}, notes=False, fills_gaps=False
    )
    public = {
        variable: Declaration(
            type=declaration.type,
            label=declaration.label,
            order=pruned[variable].order,
            unit=declaration.unit,
            role=declaration.role if declaration.role in _TOLD else None,
        )
        for variable, declaration in declared.items()
        if variable in pruned
    }
    declarations = {
        variable: declaration
        if declaration.role in _TOLD
        else replace(declaration, role=None, level=None)
        for variable, declaration in declare_schema(pruned, public).items()
    }
    rda = PurePath(name).suffix.lower() == ".rda"
    dialect = source.dialect
    return format_codebook(
        name,
        declarations,
        title=find_stem(path),
        widths=_find_widths(source) if rda else None,
        separator=dialect.separator if isinstance(dialect, CsvDialect) else ",",
    )


def _go_through(source: Source, schema: Schema, names: Sequence[str]) -> Iterator[pl.DataFrame]:
    for frame in _batches(source, names):
        numbers = [n for n in names if schema[n].kind in ("integer", "number")]
        texts = [n for n in numbers if frame[n].dtype == pl.String]
        yield frame.with_columns(pl.col(n).cast(pl.Float64, strict=False) for n in texts)


def _batches(source: Source, names: Sequence[str]) -> Iterator[pl.DataFrame]:
    if not names:
        return
    if source.scan is None:
        yield source.load(names)
    else:
        yield from source.scan(names, _ROWS)


def _find_widths(source: Source) -> Mapping[str, int]:
    """Characters of the longest value of each variable, at least 1."""
    widths = dict.fromkeys(source.schema.names, 1)
    for frame in _batches(source, source.schema.names):
        longest = frame.select(pl.all().cast(pl.String).str.len_chars().max()).row(0)
        for name, width in zip(frame.columns, longest, strict=True):
            widths[name] = max(widths[name], width or 1)
    return widths
