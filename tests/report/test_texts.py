"""The catalogue: every language has every text, with the same places, and every step."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from microsafe import notices, report
from microsafe.errors import UsageError
from microsafe.intruders import INTRUDERS, NOT_PLAYED
from microsafe.report.texts import (
    ENGLISH,
    LANGUAGES,
    check_language,
    english_step,
    localise,
    plural,
    retell,
    say,
    speaking,
)
from microsafe.steps import STEPS
from microsafe.variables.recognise import FindingKind

OTHERS = [each for each in LANGUAGES.values() if each is not ENGLISH]
FOLDER = Path(report.__file__).parent
# What no report shows: how a file was read, and what a replay asks.
ELSEWHERE = {
    "file-encoding", "file-sheets", "missing-words", "codebook-others",
    "argus-keyword", "argus-code-list", "argus-related", "join-unused", "r-left-out",
    "r-row-names", "bytes-text", "file-errors",
}  # fmt: skip


def said_in(path: Path) -> Iterator[str]:
    """Texts that a module says, or marks to be said later."""
    for call in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        if call.func.id in ("say", "plural", "mark"):
            for each in call.args:
                yield from constants(each)


def constants(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Dict):
        for value in node.values:
            yield from constants(value)
    elif isinstance(node, ast.Tuple | ast.List):
        for value in node.elts:
            yield from constants(value)
    elif isinstance(node, ast.IfExp):
        yield from constants(node.body)
        yield from constants(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def texts() -> set[str]:
    """All texts of the reports, in English."""
    found = {text for path in FOLDER.rglob("*.py") for text in said_in(path)}
    found |= {*FindingKind.__args__, "cell", "model", "high"}  # type: ignore[attr-defined]
    labels = {
        *("Values blanked", "Records changed", "Records that stay unsafe", "Kept"),
        *("Variance lost", "Grouped", "Records with values left as they were"),
        *("Values that changed places", "Rank correlation", "Follows from others, left out"),
        "Records protected only by other records' suppressions",
        "Values blanked in linked variables",
        *("Values changed", "Values kept", "Frequencies kept in expectation"),
        *("Values mirrored at a bound", "Records coded", "Share of the weight"),
        "Values without noise in strata of one value",
        "Outer 1 % of the records that these variables still link",
        "Linkage measured in a sample of so many records",
        "Rank correlations measured in a sample of so many records",
        "Relative standard error added to a frequency, at most",
        "Strata with one category, left as they are",
        *("Households that moved", "Moved for the sake of", "Lacking for the rate"),
        *("Had to move and found no partner", "Largest change of a weighted total"),
        "Households without an area, left as they are",
        *("Risk was measured with", "Change of the sum of weights", "Largest change by stratum"),
    }
    intruders = {text for kind in INTRUDERS.values() for text in (kind.title, kind.knows)}
    return found | labels | intruders | {each.title for each in NOT_PLAYED}


def places(text: str) -> set[str]:
    return {place for _, place, _, _ in Formatter().parse(text) if place is not None}


@pytest.mark.parametrize("spoken", OTHERS, ids=lambda each: each.code)
def test_a_language_has_every_text(spoken) -> None:
    assert len(texts()) > 150
    assert sorted(texts() - set(spoken.texts)) == []
    assert sorted(set(spoken.texts) - texts()) == []  # what nobody says any more


@pytest.mark.parametrize("spoken", OTHERS, ids=lambda each: each.code)
def test_translations_have_the_same_places(spoken) -> None:
    for table in (spoken.texts, spoken.sentences):
        assert not [text for text, told in table.items() if places(text) != places(told)]
        assert all(told.strip() for told in table.values())


@pytest.mark.parametrize("spoken", OTHERS, ids=lambda each: each.code)
def test_a_language_has_words_for_every_step(spoken) -> None:
    assert set(spoken.steps) == set(STEPS)
    for do, told in spoken.steps.items():
        known = english_step(STEPS[do])
        assert told.title != known.title, do
        assert told.public, do
        assert set(told.parameters) == set(known.parameters) - {"why"}, do
        assert set(told.choices) == set(known.choices), do


@pytest.mark.parametrize("spoken", OTHERS, ids=lambda each: each.code)
def test_a_language_has_every_notice(spoken) -> None:
    told = [notices.KINDS[kind] for kind in sorted(set(notices.KINDS) - ELSEWHERE)]
    texts = {text for kind in told for text in (kind.fact, kind.one, kind.remedy) if text}
    plain = {re.sub(r"\{(\w+)[^}]*\}", r"{\1}", text) for text in texts - {"{remark}"}}
    assert sorted(plain - set(spoken.sentences)) == []


@pytest.mark.parametrize("spoken", OTHERS, ids=lambda each: each.code)
def test_a_language_has_every_reason_why_nobody_was_tried(spoken) -> None:
    assert sorted({each.reason for each in NOT_PLAYED} - set(spoken.sentences)) == []


def test_sentences_of_other_rooms_are_retold() -> None:
    found = notices.make_notice("weight-heavy", count=1234, times=10.0)
    assert retell(found.text) == found.text
    with speaking("de"):
        told = retell(found.text)
        assert "1\u00a0234 Stichproben" in told
        assert "check" not in told
        assert retell("Something that nobody knows.") == "Something that nobody knows."


def test_a_place_holds_no_further_sentence() -> None:
    figures = {"other": "a", "chosen": "b", "times": "4.3", "direction": "more"}
    found = notices.make_notice("file-models-differ", what="population uniques", **figures)
    with speaking("de"):
        told = retell(found.text)
    assert told.startswith("Abweichung der Modelle: a gegenüber b, Faktor 4,3 (mehr, Unikate in ")
    assert "Mindestens eines" in told


def test_numbers_are_written_as_the_language_does() -> None:
    assert localise("1,234.5 of 0.25") == "1,234.5 of 0.25"
    with speaking("de"):
        assert localise("1,234,567.5 of 0.25, 3.5 %") == "1\u00a0234\u00a0567,5 of 0,25, 3,5 %"
        assert localise("microsafe 0.1.0, a1.5") == "microsafe 0.1.0, a1.5"


def test_counts_and_languages() -> None:
    assert plural(1, "{count} variable", "{count} variables") == "1 variable"
    assert say("none") == "none"
    with speaking("de"):
        assert plural(2, "{count} variable", "{count} variables") == "2 Variablen"
    assert say("none") == "none"
    with pytest.raises(UsageError, match="en, de"):
        check_language("xx")
