"""Parquet: only the columns that are asked for leave the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from microsafe.io.atomic import replacing
from microsafe.io.columns import checked, kind_of, tidied, without_records
from microsafe.io.faults import rephrased
from microsafe.io.source import Source
from microsafe.schema import Schema, Variable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from microsafe.io.target import Target


def read(path: Path) -> Source:
    """Open a Parquet file."""
    with rephrased(path.name, "a Parquet file"):
        types = pl.scan_parquet(path, glob=False).collect_schema()
        records = pl.scan_parquet(path, glob=False).select(pl.len()).collect().item()
    schema = Schema(
        source=path.name,
        variables=tuple(Variable(name=name, kind=kind_of(t)) for name, t in types.items()),
    )
    if not records:
        raise without_records(path.name)

    def load(names: Sequence[str]) -> pl.DataFrame:
        with rephrased(path.name, "a Parquet file"):
            return (
                pl.scan_parquet(path, glob=False)
                .select(tidied(name, types[name]) for name in names)
                .collect()
            )

    return Source(schema=schema, load=checked(schema, load), columnar=True, paths=(path,))


def write(target: Target) -> None:
    """Write a Parquet file; it holds no time of its making, so equal data give equal bytes."""
    with replacing(target.path) as temporary:
        target.frame.write_parquet(temporary)
