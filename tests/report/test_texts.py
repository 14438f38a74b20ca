"""The catalogue: every language has every text, with the same places, and every step."""

from __future__ import annotations

import ast
import copy
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from string import Formatter

import pytest

from microsafe import notices, report
from microsafe.engine.state_pairs import ALL_RECODED, NEVER_RELEASED
from microsafe.errors import UsageError
from microsafe.intruders import INTRUDERS, NOT_PLAYED
from microsafe.options.policy import SHARES
from microsafe.options.reason import BY_PROGRAM, PROPOSED
from microsafe.report import ReportCover, report_html
from microsafe.report.document import plain_text
from microsafe.report.parts import reason_in_words
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
    tell_notice,
    tell_reason,
)
from microsafe.report.texts.language import read_language
from microsafe.sentences import SENTENCES, Sentence
from microsafe.steps import STEPS
from microsafe.variables.groups import GROUPS
from microsafe.variables.recognise import FindingKind
from report.test_report import content as full_content

OTHERS = [each for each in LANGUAGES.values() if each is not ENGLISH]
FOLDER = Path(report.__file__).parent
# What a report says that is in no language: names, labels and reasons of the content.
NAMES = {
    *("main", "register", "microsafe", "numpy", "safe", "this", "neighbours", "know", "board"),
    *("wish", "site", "only", "education", "household", "hsize", "income", "marital", "region"),
    *("egion", "residence", "weight"),
}


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
    found |= {*FindingKind.__args__, "cell", "model", "high", NEVER_RELEASED, ALL_RECODED}  # type: ignore[attr-defined]
    found |= {text for words in GROUPS.values() for text in (words.title, words.why)}
    intruders = {
        text for kind in INTRUDERS.values() for text in (kind.title, kind.brief, kind.knows)
    }
    return found | intruders | {each.title for each in NOT_PLAYED} | {*SHARES.values()}


def places(text: str) -> set[str]:
    return {place for _, place, _, _ in Formatter().parse(text) if place is not None}


@pytest.mark.parametrize("spoken", OTHERS, ids=lambda each: each.code)
def test_a_language_has_every_text(spoken) -> None:
    assert len(texts()) > 150
    assert sorted(texts() - set(spoken.texts)) == []
    assert sorted(set(spoken.texts) - texts()) == []  # what nobody says any more


def needs_words(template: str) -> bool:
    """Whether there is more in a template than places, which hold names and figures."""
    return any(letter.isalpha() for text, *_ in Formatter().parse(template) for letter in text)


@pytest.mark.parametrize("spoken", OTHERS, ids=lambda each: each.code)
def test_a_language_has_every_notice_with_the_same_places(spoken) -> None:
    assert set(spoken.notices) == set(notices.KINDS)
    for kind in notices.KINDS.values():
        english = {part: getattr(kind, part) for part in ("fact", "one", "remedy")}
        told = spoken.notices[kind.id]
        assert set(told) == {part for part, text in english.items() if needs_words(text)}, kind.id
        assert all(text.strip() for text in told.values())
        for part, text in told.items():
            assert places(text) == places(english[part]), kind.id


@pytest.mark.parametrize("spoken", OTHERS, ids=lambda each: each.code)
def test_a_language_has_every_sentence_with_the_same_places(spoken) -> None:
    wanted = {key for key, text in SENTENCES.items() if needs_words(text)}
    assert set(spoken.sentences) == wanted
    assert all(text.strip() for text in spoken.sentences.values())
    for key in wanted:
        assert places(spoken.sentences[key]) == places(SENTENCES[key]), key


@pytest.mark.parametrize("spoken", OTHERS, ids=lambda each: each.code)
def test_texts_have_the_same_places(spoken) -> None:
    assert not [text for text, told in spoken.texts.items() if places(text) != places(told)]
    assert all(told.strip() for told in spoken.texts.values())


@pytest.mark.parametrize("spoken", OTHERS, ids=lambda each: each.code)
def test_a_language_has_words_for_every_step(spoken) -> None:
    assert set(spoken.steps) == set(STEPS)
    for do, told in spoken.steps.items():
        known = english_step(STEPS[do])
        assert told.title != known.title, do
        assert told.public, do
        assert set(told.parameters) == set(known.parameters) - {"why"}, do
        assert set(told.choices) == set(known.choices), do


def test_every_sentence_that_is_declared_is_said() -> None:
    said = set()
    for path in FOLDER.parent.rglob("*.py"):
        if path.name != "sentences.py":
            nodes = ast.walk(ast.parse(path.read_text("utf-8")))
            said |= {each.value for each in nodes if isinstance(each, ast.Constant)}
    assert sorted(SENTENCES.keys() - said) == []


def test_notices_are_told_by_their_ids_and_figures() -> None:
    found = notices.make_notice("weight-heavy", count=1234, times=10.0)
    assert tell_notice(found) == found.text
    with speaking("de"):
        assert tell_notice(found).startswith(
            "1\u00a0234 Stichprobenunikate haben mehr als das 10-F"
        )
        one = notices.make_notice("weight-heavy", count=1, times=10.0)
        assert tell_notice(one).startswith("1 Stichprobenunikat hat")


def test_sentences_stand_inside_others() -> None:
    found = notices.make_notice(
        "file-models-differ", other="a", chosen="b", times=Sentence("over", number=1000.0),
        direction=Sentence("more"), what=Sentence("uniques"),
    )  # fmt: skip
    assert found.text.startswith(
        "By a there are over 1000 times more population uniques than by b. "
    )
    with speaking("de"):
        told = tell_notice(found)
    assert told.startswith("Abweichung der Modelle: a gegenüber b, Faktor über 1000 (mehr, Unika")


def test_figures_keep_their_values_until_a_language_shows_them() -> None:
    swapped = notices.make_notice(
        "swap-weights", name="w1.5", changes={"region": 0.0004, "town": 0.125}
    )
    assert "w1.5' stayed" in swapped.text
    assert "region under 0.1 %, town 12.5 %" in swapped.text
    many = Sentence("names-and-order", names=[f"v{number}" for number in range(14)])
    assert many.endswith("v11 and 2 more and the order of the records")
    with speaking("de"):
        told = tell_notice(swapped)
        assert "Gewicht 'w1.5' blieb" in told
        assert "region unter 0,1 %, town 12,5 %" in told
        assert retell(many).endswith("v11 und 2 weitere und die Reihenfolge der Datensätze")


def test_text_of_files_and_people_stays_as_it_is() -> None:
    with speaking("de"):
        assert retell("The model gives no estimate.") == "The model gives no estimate."
        assert retell(Sentence("no-estimate")) == "Das Modell liefert keine Schätzung."
        assert retell(Sentence("names", names=("no", "yes"))) == "no, yes"


def test_a_sentence_is_text_and_stays_a_sentence() -> None:
    found = Sentence("variable-recoded", name="age", kept=4, share=0.5)
    again = copy.deepcopy(found)
    assert json.loads(json.dumps({"note": again})) == {"note": str(found)}
    assert (again, again.key, again.figures) == (found, found.key, found.figures)


_ENTRY = re.compile(r'(?m)^((?:"(?:[^"\\]|\\.)*"|[\w.-]+) = )"((?:[^"\\]|\\.)*)"$')
_KEPT = re.compile(r"(\{\w+\}|\\u\w{4}|\\.)")


def shout(entry: re.Match[str]) -> str:
    """An entry of a language in capitals, but its places."""
    parts = [part if _KEPT.fullmatch(part) else part.upper() for part in _KEPT.split(entry[2])]
    return f'{entry[1]}"{"".join(parts)}"'


def test_a_toy_language_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every word is in capitals: what is not is a name, or cannot be translated."""
    path = tmp_path / "toy.toml"
    german = (FOLDER / "languages" / "de.toml").read_text("utf-8")
    path.write_text(_ENTRY.sub(shout, german), "utf-8")
    monkeypatch.setitem(LANGUAGES, "toy", read_language(path))  # type: ignore[index]
    made = replace(full_content(), cover=ReportCover(language="toy"))
    for audience, word in (("board", "GRENZWERT"), ("public", "VERFAHREN")):
        page = report_html(made, audience=audience)  # type: ignore[arg-type]
        text = re.sub(r"(?s)<(style|code|a)\b.*?</\1>", "", page)
        text = re.sub(r"(?s)<[^>]*>", " ", text)
        assert word in text
        assert set(re.findall(r"[a-zäöü]{4,}", text)) <= NAMES


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


@pytest.mark.parametrize(
    ("reason", "german"),
    [
        ("by microsafe: it tells age.1.5", "verrät age.1.5"),
        ("by microsafe: household number", "Haushaltsnummer"),
        (
            "by microsafe: too small for the survey to support",
            "zu klein, als dass die Erhebung darüber Auskunft gäbe",
        ),
        (
            "chosen by microsafe propose: who lives with whom tells families",
            "wer mit wem lebt, verrät Familien",
        ),
        ("chosen by microsafe propose: nobody sees who lives with whom", "niemand sieht,"),
        ("by microsafe: they were typed by hand", "they were typed by hand"),
    ],
)
def test_reasons_of_the_program_lose_their_mark_and_are_told(reason: str, german: str) -> None:
    assert tell_reason(reason) == reason.partition(": ")[2]
    with speaking("de"):
        assert tell_reason(reason).startswith(german)
        board = plain_text(reason_in_words(reason))
    assert board.startswith(f"Vom Programm: {german}")
    assert "microsafe" not in board


def test_figures_of_a_reason_are_read_from_the_plan() -> None:
    figures = {"recodes": 3, "blanks": 1212, "lost": 0.0004}
    plain, weighed = (
        f"{PROPOSED}: {Sentence(key, **figures)}"
        for key in ("because-proposed", "because-proposed-weighed")
    )
    with speaking("de"):
        assert tell_reason(plain) == (
            "Teil des Plans mit einem Verlust von unter 0,1 % (Umkodierungen: 3, "
            "unterdrückte Werte: 1\u00a0212)"
        )
        assert "unter 0,1 % der gewichteten Schlüsselmerkmale (" in tell_reason(weighed)


@pytest.mark.parametrize("spoken", OTHERS, ids=lambda each: each.code)
def test_a_language_has_every_reason_that_the_program_writes(spoken) -> None:
    """Those of its sentences, and those of the window: by the kind or group of a variable."""
    words = Path(__file__).parents[2] / "web" / "src" / "texts"
    window = "".join((words / name).read_text("utf-8") for name in ("closer.ts", "inventory.ts"))
    written = re.findall(r"by microsafe: ([^\"`]+)[\"`]", window)
    assert len(written) == 2
    reasons = [each.replace("${", "{").format(key="age") for each in written]
    reasons += [*FindingKind.__args__, *(each for each in GROUPS if each != "answer")]  # type: ignore[attr-defined]
    reasons += [each for key, each in SENTENCES.items() if key.startswith("because-")]
    with speaking(spoken.code):
        for each in reasons:
            assert tell_reason(f"{BY_PROGRAM}{each}") != each


def test_what_a_person_says_stays_as_it_is() -> None:
    with speaking("de"):
        for each in ("it tells age", "household number", "nobody needs them", "Known {to} all"):
            assert tell_reason(each) == each
