"""The catalogue of messages is whole: every notice and every error of the source is in it."""

from __future__ import annotations

import ast
import re
import string
import sys
from pathlib import Path

import pages
import pytest

import microsafe
from microsafe.notice_kinds import NoticeKind
from microsafe.notices import KINDS, make_notice

sys.path.insert(0, str(pages.ROOT / "docs" / "reference"))

import make_messages

SOURCE = Path(microsafe.__file__).parent
_TABLE = ("notices.py", "notice_kinds.py")


@pytest.mark.slow
def test_the_page_has_every_notice_and_an_error_of_every_room() -> None:
    page = make_messages.make_page()
    assert [kind for kind in KINDS if f"`{kind}`" not in page] == []
    assert [room for room in make_messages.ROOMS.values() if f"### {room}\n" not in page] == []


def test_a_message_that_cannot_be_found_is_refused() -> None:
    tree = ast.parse("def f(text):\n    raise UsageError(text)\n")
    scope = tree.body[0]
    ((kind, node),) = make_messages._messages_in(scope)
    assert kind == "UsageError"
    with pytest.raises(make_messages.UnknownTextError, match="somewhere"):
        make_messages.resolve(node, scope, tree, "somewhere")


@pytest.mark.parametrize(
    ("code", "texts"),
    [
        ("raise UsageError('No.')", ["No."]),
        ("raise UsageError(f'{self.name} has {len(rows):,} rows.')", ["{name} has {number} rows."]),
        ("raise InputError('a' if x else f'b {y}')", ["a", "b {y}"]),
        ("fault = 'one'\n    fault = 'two'\n    raise InputError(fault)", ["one", "two"]),
        ("raise Refusal(404, 'Gone.', 'Stay.')", ["Gone. Stay."]),
        ("return UsageError(f'{x}.{did_you_mean(x, y)}')", ["{x}.{hint}"]),
    ],
)
def test_texts_are_found(code: str, texts: list[str]) -> None:
    tree = ast.parse(f"def f():\n    {code}\n")
    scope = tree.body[0]
    ((_, node),) = make_messages._messages_in(scope)
    assert make_messages.resolve(node, scope, tree, "here") == texts


def used_kinds() -> set[str]:
    """The ids that stand in calls of `make_notice`, whole or in parts."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Notice":
                assert path.name in _TABLE, f"{path}: make it with make_notice"
            if isinstance(node, ast.Constant) and node.value in KINDS and path.name not in _TABLE:
                found.add(str(node.value))
    return found


def test_every_declared_notice_is_used_and_every_used_one_declared() -> None:
    assert used_kinds() == set(KINDS)


def is_sentence(kind: NoticeKind) -> bool:
    places = [(name, spec) for _, name, spec, _ in string.Formatter().parse(kind.fact) if name]
    fields = {name: ["x"] if spec.startswith("list") else 2 for name, spec in places}
    text = make_notice(kind.id, **fields).text
    return bool(re.match(r"[A-Z0-9]", text)) and (text.endswith(".") or "remark" in fields)


def test_notices_are_sentences_with_a_rule_and_a_remedy() -> None:
    assert [kind.id for kind in KINDS.values() if not is_sentence(kind)] == []
    assert [kind.id for kind in KINDS.values() if not (kind.rule and kind.remedy)] == []


def test_one_is_not_called_several() -> None:
    assert make_notice("weight-clipped", count=1).text.startswith("1 weight below 1 was raised")
    assert make_notice("weight-clipped", count=1200).text.startswith("1,200 weights below 1 were")
