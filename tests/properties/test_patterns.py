"""No pattern of the package takes longer than its text: each is tried on 100,000 characters.

A pattern that looks again at what it has seen takes minutes for a long name or label, and answers
nobody meanwhile. Patterns are those that modules hold, and those that stand in calls of `re`.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import signal
import time
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import get_args

import pytest

import microsafe
from microsafe.variables import vocabulary
from microsafe.variables.check_digits import SCHEMES
from microsafe.variables.classifications import CODE_SHAPES
from microsafe.variables.traits import SHAPES
from microsafe.variables.vocabulary import Topic

Pattern = re.Pattern[str] | re.Pattern[bytes]
END = "\u0001"  # so that nothing matches as a whole
SIZE = 100_000
SECONDS = 3.0  # of CPU; those that look again take hundreds
# A tenth of the text comes first: who looks again at that takes a hundredth of the time for all of
# it, 0.03 s or more of three, and is asked again for all of it. Others take 0.001 s.
SHORT, SUSPICIOUS = SIZE // 10, 0.01
SOURCE = Path(microsafe.__file__).parent
CALLS = ("compile", "match", "search", "fullmatch", "sub", "findall", "finditer", "split")
ONCE = {"match": "match", "fullmatch": "fullmatch"}  # from the first character; others anywhere
# What patterns look for again and again: blanks, words, numbers, quotes, brackets, breaks.
PIECES = (
    "a", "A", "0", " ", "\n", "\t", '"', "'", "[", "<", "(", "{", "-", ".", ",", ":", "=", "/",
    "_", "%", "a ", "a b", "aA", "a1", "1,", "1.", "1,1", "0.0", '""', '"a', "'a' ", "<a ", "<a>",
    "[a", "[ ", "a.", "a=", "a-", "1 in ", "x:c r", "\u00e9", "\u4e00", "_x005", "\r\n", "\\", "Aa",
    "D", "E+", "- ", " -", "@", "a@", "a@b.", "http://", "ab.", "+4", "(0", "00 ",
)  # fmt: skip


def list_modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages([str(SOURCE)], "microsafe."):
        if ".spark" in found.name or found.name.endswith("__main__"):
            continue
        yield importlib.import_module(found.name)


def find_patterns(name: str, value: object, depth: int = 0) -> Iterator[tuple[str, Pattern]]:
    """Patterns in a value of a module, with the name of the variable or field that holds each."""
    if isinstance(value, re.Pattern):
        yield name, value
    elif depth < 3 and isinstance(value, Mapping):
        for each in list(value.values()):
            yield from find_patterns(name, each, depth + 1)
    elif depth < 3 and isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from find_patterns(name, each, depth + 1)
    elif depth < 3 and getattr(value, "__module__", "").startswith("microsafe"):
        for field in dir(value):
            if not field.startswith("__"):
                try:
                    yield from find_patterns(field, getattr(value, field), 3)
                except Exception:  # noqa: S112  # what cannot be looked at holds none
                    continue


def find_calls(path: Path) -> Iterator[tuple[str, str, ast.Call]]:
    """Calls of methods of patterns: the name that is called on, the method, the call."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            value = node.func.value
            if isinstance(value, ast.Subscript):
                value = value.value
            name = getattr(value, "id", None) or getattr(value, "attr", None)
            if node.func.attr in CALLS and name is not None:
                yield name, node.func.attr, node


def compile_literal(call: ast.Call) -> Pattern | None:
    """The pattern that stands as it is in a call of `re`."""
    text = call.args[0] if call.args else None
    if not isinstance(text, ast.Constant) or not isinstance(text.value, str | bytes):
        return None
    dotted = any("DOTALL" in ast.dump(each) for each in call.keywords)
    return re.compile(text.value, re.DOTALL if dotted else 0)


@cache
def all_patterns() -> Mapping[str, tuple[Pattern, frozenset[str]]]:
    """Every pattern, and the methods that are called on it; `search` where that is not known."""
    methods: dict[str, set[str]] = {}
    found: dict[str, tuple[Pattern, set[str]]] = {}

    def add(pattern: Pattern, called: set[str]) -> None:
        found.setdefault(repr((pattern.pattern, pattern.flags)), (pattern, set()))[1].update(called)

    for path in SOURCE.rglob("*.py"):
        for name, method, call in find_calls(path):
            literal = compile_literal(call) if name == "re" else None
            if literal is not None and method != "compile":
                add(literal, {method})
            home = path.stem if name.startswith("_") else ""
            methods.setdefault(f"{home} {name}", set()).add(method)
    for module in list_modules():
        for variable, value in list(vars(module).items()):
            for name, pattern in find_patterns(variable, value):
                home = module.__name__.rpartition(".")[2] if name.startswith("_") else ""
                add(pattern, methods.get(f"{home} {name}", set()) - {"compile"} or {"search"})
    for pattern in read_shapes():
        add(pattern, {"search"})
    return {name: (pattern, frozenset(called)) for name, (pattern, called) in found.items()}


def read_shapes() -> Iterator[Pattern]:
    """Shapes of values, which run in engines that look again as well, and builds of numbers."""
    for words in SHAPES.values():
        letters = words.replace(r"[\p{L}", "[A-Za-z").replace(r"\p{L}", "[A-Za-z]")
        letters = letters.replace(r"\p{Lu}", "[A-Z]")
        letters = re.sub(r"\\x\{([0-9a-f]{4})\}", r"\\u\1", letters)
        apart = re.sub(r"\(\?i\)", "", letters)
        yield re.compile(apart, re.IGNORECASE if "(?i)" in letters else 0)
    for each in (*SCHEMES, *CODE_SHAPES):
        yield re.compile(f"^(?:{each.pattern})$")


def read_words() -> Iterator[Pattern]:
    """Words of names and labels, by topic, which are compiled when they are first asked for."""
    for topic in get_args(Topic):
        yield vocabulary._compile(topic)
        unless = vocabulary._compile_unless(topic)
        if unless is not None:
            yield unless


def list_texts(pattern: Pattern) -> Iterator[str | bytes]:
    """Long texts that nearly match: pieces again and again, after what the pattern begins with."""
    source = pattern.pattern
    plain = source if isinstance(source, str) else source.decode("latin-1")
    words = set(re.findall(r"[A-Za-z0-9_:<]{2,20}", plain))
    for piece in sorted(words - {*PIECES})[:40]:
        text = (piece * (SIZE // len(piece) + 1))[:SIZE] + END
        yield text if isinstance(source, str) else text.encode("utf-8")
    yield from usual_texts(of_bytes=isinstance(source, bytes))


@cache
def usual_texts(*, of_bytes: bool) -> tuple[str | bytes, ...]:
    texts = [
        (lead + piece * (SIZE // len(piece) + 1))[:SIZE] + END
        for piece in PIECES
        for lead in ("", "<c ", "[[", '"')
    ]
    return tuple(text.encode("utf-8") if of_bytes else text for text in texts)


class TooLongError(Exception):
    """A pattern took longer than its text."""


def stop(_: int, __: FrameType | None) -> None:
    raise TooLongError


@pytest.mark.slow
def test_no_pattern_looks_again_at_what_it_has_seen() -> None:
    before = signal.signal(signal.SIGVTALRM, stop)
    slow = {}
    try:
        for name, (pattern, methods) in all_patterns().items():
            calls = [getattr(pattern, ONCE.get(method, "search")) for method in methods]
            for text in list_texts(pattern):
                try:
                    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
                    for call in calls:
                        began = time.thread_time()
                        call(text[:SHORT] + text[-1:])
                        if time.thread_time() - began > SUSPICIOUS:
                            call(text)
                except TooLongError:
                    slow[name] = text[:12], sorted(methods)
                    break
                finally:
                    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    finally:
        signal.signal(signal.SIGVTALRM, before)
    assert slow == {}


def test_patterns_are_found() -> None:
    found = {str(each.pattern) for each, _ in all_patterns().values()}
    assert len(found) > 80
    assert any("DATETIME" in each for each in found)


@pytest.mark.slow
def test_words_of_names_and_labels_take_no_time() -> None:
    """They are thousands in a pattern, so each text is short: names and labels are cut."""
    for pattern in read_words():
        for piece in ("of ", "id number ", "name of ", "a", "numero de ", "household person "):
            began = time.thread_time()
            pattern.search(piece * (1000 // len(piece)) + END)
            assert time.thread_time() - began < 1, (pattern.pattern[:40], piece)


@pytest.mark.parametrize(
    ("pattern", "piece"),
    [(r"\s+$", " "), (r"[a-z]+@", "a"), (r"a*b", "a"), (r"\d+,\d+", "0")],
)
def test_a_short_text_shows_who_looks_again(pattern: str, piece: str) -> None:
    began = time.thread_time()
    re.compile(pattern).search(piece * (SHORT // len(piece)) + END)
    assert time.thread_time() - began > SUSPICIOUS
