"""A case of the corpus, and what is done with it."""

from __future__ import annotations

import re
import shutil
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from corpus.readers import READERS
from corpus.values import Columns, find_difference, settle_polars
from microsafe.errors import MicrosafeError
from microsafe.io import Source, read, write
from microsafe.schema import Schema

# In a record of each file that is refused: no message may have it.
MARK = "Zq7Marker"

Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A file, who makes it, and what must become of it.

    Attributes:
        name: Format, writer and what is special about it.
        extension: Of the file.
        holds: What the file is there to show; a row of the table in the documentation.
        make: Writes it, with another program's writer or byte by byte.
        look: An independent reader: columns in the form of `values.settle`.
        options: That it is opened with.
        to: Extension that it is written back with; by default its own.
        look_back: The independent reader of what is written; by default the same, or that of `to`.
        becomes: What the format of `to` makes of the values, if not themselves.
        facts: What an independent reader says of the file besides its values.
        facts_back: The same of what is written; by default by the same reader.
        tells: The names of these facts, if they are more than what the file is there to show.
        lost: Those facts that the file written back no longer has.
        refused: What the refusal to open it says.
        unwritable: What the refusal to write it says.
        needs: Program without which it cannot be made.
    """

    name: str
    extension: str
    holds: str
    make: Callable[[Path], object]
    look: Callable[[Path], Columns]
    options: Mapping[str, Any] = field(default_factory=dict)
    to: str = ""
    look_back: Callable[[Path], Columns] | None = None
    becomes: Callable[[Columns], Columns] | None = None
    facts: Callable[[Path], Facts] | None = None
    facts_back: Callable[[Path], Facts] | None = None
    tells: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    refused: str = ""
    unwritable: str = ""
    needs: str = ""

    @property
    def written(self) -> str:
        """Extension of what is written."""
        return self.to or self.extension


def run_case(case: Case, folder: Path) -> None:
    """Open the file of a case, compare it, write it back and compare it again."""
    if case.needs and shutil.which(case.needs) is None:
        pytest.skip(f"{case.needs} is not on this machine")
    path = folder / f"file{case.extension}"
    case.make(path)
    if case.refused:
        check_refusal(lambda: _load(read(path, **case.options)), case.refused, {MARK})
        return
    expected = case.look(path)
    source = read(path, **case.options)
    frame = _load(source)
    check(settle_polars(frame), expected, "opened")
    facts = case.facts(path) if case.facts else {}
    check_schema(source.schema, facts)
    # Whatever the documentation will say of this case is looked at.
    assert set(case.tells) <= set(facts)
    assert case.holds in facts or case.holds not in describe(source.schema)
    assert case.becomes or set(case.lost) <= set(facts)

    back = folder / f"back{case.written}"

    def save() -> None:
        write(frame, source.schema, back, origin=source)

    if case.unwritable:
        texts = {v for values in expected.values() for v in values if isinstance(v, str)}
        check_refusal(save, case.unwritable, {text for text in texts if len(text) > 2})
        assert not back.exists()
        return
    save()
    check_written(case, expected, facts, back)


def _load(source: Source) -> pl.DataFrame:
    return source.load(source.schema.names)


def check_written(case: Case, expected: Columns, facts: Facts, back: Path) -> None:
    expected = case.becomes(expected) if case.becomes else expected
    same = case.written == case.extension
    look = case.look_back or (case.look if same else READERS[case.written])
    check(look(back), expected, "written, by another reader")
    options = {k: v for k, v in case.options.items() if same and k != "sheet"}
    again = read(back, **options)
    if not case.becomes:
        check(settle_polars(_load(again)), expected, "written, by ours")
    if facts:
        found = (case.facts_back or case.facts)(back)
        lost = {name for name, value in facts.items() if found.get(name) != value}
        assert lost == set(case.lost), {n: (facts[n], found.get(n)) for n in lost ^ set(case.lost)}


def check(seen: Columns, expected: Columns, when: str) -> None:
    difference = find_difference(seen, expected)
    assert not difference, f"{when}: {difference}"


def check_refusal(work: Callable[[], object], says: str, secrets: set[str]) -> None:
    with pytest.raises(MicrosafeError) as caught:
        work()
    text = str(caught.value)
    assert re.search(says, text), text
    whole = "".join(traceback.format_exception(caught.value))
    assert not any(secret in whole for secret in secrets)


def check_schema(schema: Schema, facts: Facts) -> None:
    """What the schema has a place for is there, as the independent reader says it."""
    ours = describe(schema)
    for name in facts.keys() & ours.keys():
        assert ours[name] == facts[name], f"{name}: {ours[name]} instead of {facts[name]}"


def describe(schema: Schema) -> dict[str, Any]:
    """Return what a schema says, in the words of the facts."""
    return {
        "labels of variables": {v.name: v.label for v in schema if v.label},
        "labels of numbers": {
            v.name: dict(v.labels) for v in schema if v.labels and v.kind != "text"
        },
        "labels of text": {v.name: dict(v.labels) for v in schema if v.labels and v.kind == "text"},
        "missing codes": {v.name: v.missing for v in schema if v.missing},
        "missing ranges": {v.name: v.missing_ranges for v in schema if v.missing_ranges},
        "display formats": {v.name: v.format for v in schema if v.format},
        "level of measurement": {v.name: v.measure for v in schema if v.measure != "unknown"},
        "file label and notes": schema.notes,
    }
