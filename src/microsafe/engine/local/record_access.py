"""Read and write values by record in the embedded engine, batch by batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat, zip_longest

import numpy as np
import polars as pl

from microsafe.batches import rebatch_frames
from microsafe.engine import slices as batches
from microsafe.engine.local.records import Records
from microsafe.engine.local.replacement import Replacement, ReplacementBuffer
from microsafe.engine.record_access import (
    Form,
    RecordBatch,
    RecordNumbers,
    RecordValues,
    Selection,
    read_identifiers,
    read_values,
    repeated_identifiers,
)
from microsafe.progress import Progress, silent
from microsafe.schema import Variable

_PER_IDENTIFIER = 16  # bytes while they are compared


def read_columns(
    records: Records, selection: Selection, progress: Progress = silent
) -> Iterator[RecordBatch]:
    """Go through values by record, in input order.

    Args:
        records: Of which.
        selection: What is asked for.
        progress: Progress callback.
    """
    names: dict[Form, list[str]] = {"number": [], "code": [], "text": []}
    for name, form in selection.forms.items():
        names[form].append(name)
    records.fetch(names["code"], names["number"], progress)
    shown = [*names["text"], *([selection.identifier] if selection.identifier else [])]
    shown = list(dict.fromkeys(shown))
    frames: Iterable[pl.DataFrame] = repeat(pl.DataFrame())
    if shown:
        frames = rebatch_frames(records.table(names=shown), batches.BATCH)
    if selection.identifier is not None:
        _refuse_repeated(records, selection.identifier)
    for place, (numbers, frame) in enumerate(zip(records.record_numbers(), frames, strict=False)):
        if selection.identifier is not None:
            numbers = _identify(records, selection.identifier, frame)
        columns = {name: read_values(frame[name], "text") for name in names["text"]}
        for name in names["number"]:
            number = records.number(name, place)
            columns[name] = RecordValues(data=number, missing=np.isnan(number))
        for name in names["code"]:
            code = records.code(name, place)
            columns[name] = RecordValues(data=code, missing=code == 0)
        yield RecordBatch(numbers=numbers, columns=columns)


def _identify(records: Records, name: str, frame: pl.DataFrame) -> RecordNumbers:
    return read_identifiers(frame[name], records.schema[name], records.schema.source)


def _refuse_repeated(records: Records, name: str) -> None:
    """Refuse an identifier that does not tell records apart: one pass of its own."""
    what = f"to compare {records.count:,} values of {name!r}"
    with records.memory.holding(records.count * _PER_IDENTIFIER, what, "Leave it out,"):
        parts = [_identify(records, name, frame) for frame in records.table(names=[name])]
        numbers = np.sort(np.concatenate(parts))
        if bool(np.any(numbers[1:] == numbers[:-1])):
            raise repeated_identifiers(name, records.schema.source)


def take_in(
    records: Records,
    selection: Selection,
    after: Sequence[Variable],
    new_batches: Iterable[RecordBatch],
) -> Mapping[str, Replacement]:
    """Take in values by record, in the batches that `read_columns` goes by.

    Raises:
        ValueError: These are not the same records.
    """
    categories = {}
    for variable in after:
        coded = selection.forms[variable.name] == "code"
        categories[variable.name] = records.categories(variable.name) if coded else ()
    buffers = {
        variable.name: ReplacementBuffer(
            variable, selection.forms[variable.name], categories[variable.name], records.memory
        )
        for variable in after
    }
    known = Selection(identifier=selection.identifier)
    for batch, same in zip_longest(new_batches, read_columns(records, known)):
        if batch is None or same is None or not np.array_equal(batch.numbers, same.numbers):
            raise ValueError("Every record must come back, in the order in which they went out.")
        for name, buffer in buffers.items():
            buffer.add(batch.columns[name])
    return {name: buffer.finish() for name, buffer in buffers.items()}
