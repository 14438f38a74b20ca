"""The inner names of the package that the record needs: adjust them here if they move."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from microsafe.cli import main
from microsafe.cli.parser import build_parser
from microsafe.io.formats import FORMATS
from microsafe.steps import STEPS

__all__ = ["command_parsers", "kinds_of_steps", "main", "step", "writable_formats"]


def kinds_of_steps() -> set[str]:
    return set(STEPS)


def step(kind: str, **words: Any) -> Any:
    """Return a step, for verbs that take one."""
    return STEPS[kind](**words)


def writable_formats() -> dict[str, tuple[str, ...]]:
    """Formats that can be written: name and extensions of each, by its first extension."""
    return {each.extensions[0]: each.extensions for each in FORMATS if each.writer}


def command_parsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of the program ("") and of all commands ("plan new")."""
    return dict(_walk("", build_parser()))


def _walk(
    name: str, parser: argparse.ArgumentParser
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    yield name, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each, below in action.choices.items():
                yield from _walk(f"{name} {each}".strip(), below)
