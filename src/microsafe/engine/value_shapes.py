"""Count what texts look like: different values of variables, and labels of their codes.

Both engines look at labels here: they are few, and at hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from microsafe.schema import Schema, Variable
from microsafe.variables.samples import SAMPLE, judge_sample, list_wanted
from microsafe.variables.traits import DECIMALS, LOOKED_AT, SHAPES, Traits, spread_out

_MANY_LABELS = 20  # codes; with fewer, labels are answers


def count_shapes(texts: Mapping[str, pl.Series]) -> dict[str, dict[str, Any]]:
    """Return what the texts of each variable look like, as traits.

    What several variables have is looked at once.
    """
    if not texts:
        return {}
    text = pl.col("text").str
    every = pl.concat(
        pl.DataFrame({"text": column}).with_columns(place=place)
        for place, column in enumerate(texts.values())
    )
    length = text.replace(DECIMALS, "").str.len_chars()
    looked = every.select(pl.col("text").unique()).with_columns(
        *(text.contains(words).alias(shape) for shape, words in SHAPES.items()),
        length.alias("length"),
    )
    counted = (
        every.join(looked, on="text")
        .group_by("place")
        .agg(
            pl.col(*SHAPES).sum(),
            pl.col("length").max().alias("longest"),
            pl.col("length").min().alias("shortest"),
        )
    )
    rows = {row.pop("place"): row for row in counted.iter_rows(named=True)}
    return {name: _describe(rows.get(place), texts[name]) for place, name in enumerate(texts)}


def _describe(row: dict[str, Any] | None, texts: pl.Series) -> dict[str, Any]:
    """Traits of one variable from its row of counts, and from a sample of its texts."""
    if row is None:
        return {}
    longest, shortest = row.pop("longest") or 0, row.pop("shortest") or 0
    wanted = list_wanted(lambda shape: row[shape] / len(texts))
    sample = texts.gather(spread_out(len(texts), SAMPLE)).to_list() if wanted else []
    return {"shapes": row, "longest": longest, "shortest": shortest, **judge_sample(sample, wanted)}


def with_labels(schema: Schema, traits: Iterable[Traits]) -> list[Traits]:
    """Return traits with those of the labels of codes, where these are many."""
    every = list(traits)
    labels = {traits.name: _list_labels(schema[traits.name]) for traits in every}
    many = {name: pl.Series(some) for name, some in labels.items() if len(some) > _MANY_LABELS}
    shapes = count_shapes(many)
    return [
        replace(
            traits, labels=_describe_labels(traits, len(many[traits.name]), shapes[traits.name])
        )
        if traits.name in many
        else traits
        for traits in every
    ]


def _list_labels(variable: Variable) -> Sequence[str]:
    known = (
        label.strip() for code, label in variable.labels.items() if code not in variable.missing
    )
    return list(dict.fromkeys(label for label in known if label))[:LOOKED_AT]


def _describe_labels(values: Traits, count: int, shapes: Mapping[str, Any]) -> Traits:
    """Labels as values of the records that have their codes."""
    return Traits(
        name=values.name,
        records=values.records,
        missing=values.missing,
        distinct=min(count, values.distinct),
        looked=count,
        **shapes,
    )
