"""Replace the steps of a plan file, keeping comments and layout."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from microsafe.errors import MicrosafeError
from microsafe.io.control_file import parse_toml
from microsafe.plan.model import Plan, plan_text, quote_text
from microsafe.plan.read import build_plan
from microsafe.plan.seeds import fill_seeds_from

_RESULT = "propose.result"
_AFTER_STEPS = ("keep", "report", "output")
_TOKEN = re.compile(r'"""|\'\'\'|"(?:\\.|[^"\\])*"|\'[^\']*\'|#.*|[\[\]{}]')
_HEADING = re.compile(r"\s*+\[\[?+([^\]]++)\]")


@dataclass(frozen=True, slots=True)
class TableText:
    """A table of a plan.

    Attributes:
        name: In its heading; nothing for what has none.
        lead: Comments and empty lines above it.
        lines: The heading and what follows.
    """

    name: str
    lead: tuple[str, ...]
    lines: tuple[str, ...]


def splice_plan(text: str, made: Plan, kept: Collection[int]) -> str | None:
    """Return the text of a plan with other steps, and another result of a proposal.

    Args:
        text: As somebody wrote it.
        made: The plan as it shall be.
        kept: Numbers of the steps, from 1, that stay; they come first.

    Returns:
        The text; None if it is laid out so that its parts cannot be told apart.
    """
    new = split_blocks(plan_text(made))
    old, step_words, step_place = _leave_out_steps(split_blocks(text), kept)
    result_words = [line for each in old if each.name == _RESULT for line in _comments(each)]
    steps = [each for each in new if each.name == "step"][len(kept) :]
    blocks = _insert(old, step_place, steps, step_words)
    blocks = [block for block in blocks if block.name != _RESULT]
    asked = [place for place, each in enumerate(blocks) if _is_wish(each)]
    found = [each for each in new if each.name == _RESULT or (not asked and _is_wish(each))]
    later = [place for place, each in enumerate(blocks) if each.name in ("step", *_AFTER_STEPS)]
    place = asked[-1] + 1 if asked else min(later, default=len(blocks))
    blocks = [_name_estimator(each, made) for each in _insert(blocks, place, found, result_words)]
    made_text = "\n".join(line for block in blocks for line in (*block.lead, *block.lines)) + "\n"
    return made_text if _says(made_text, made) else None


def split_blocks(text: str) -> list[TableText]:
    """Cut a plan into tables; those within a step or a result belong to it."""
    lines = text.splitlines()
    starts = [0, *_find_headings(lines)]
    blocks: list[TableText] = []
    lead: tuple[str, ...] = ()
    for first, last in zip(starts, [*starts[1:], len(lines)], strict=True):
        end = last
        while end > first and not lines[end - 1].partition("#")[0].strip():
            end -= 1  # it is above the next heading
        heading = _HEADING.match(lines[first]) if first else None
        name = heading[1].strip() if heading else ""
        block = TableText(name, lead, tuple(lines[first:end]))
        lead = tuple(lines[end:last])
        within = blocks and blocks[-1].name in ("step", _RESULT)
        if within and name.startswith(f"{blocks[-1].name}."):
            last_one = blocks[-1]
            block = replace(last_one, lines=(*last_one.lines, *block.lead, *block.lines))
            blocks.pop()
        blocks.append(block)
    return [*blocks, TableText("", lead, ())]


def _find_headings(lines: Sequence[str]) -> Iterator[int]:
    """Go through the lines that begin a table: not within a list, nor within a text."""
    depth, quote = 0, ""
    for number, line in enumerate(lines):
        if not depth and not quote and line.lstrip().startswith("["):
            if number:
                yield number
            continue
        place = 0
        while place <= len(line):
            if quote:
                end = line.find(quote, place)
                if end < 0:
                    break
                place, quote = end + 3, ""
            token = _TOKEN.search(line, place)
            if token is None:
                break
            place = token.end()
            if token[0] in ('"""', "'''"):
                quote = token[0]
            depth += (token[0] in "[{") - (token[0] in "]}")


def _leave_out_steps(
    blocks: Sequence[TableText], kept: Collection[int]
) -> tuple[list[TableText], list[str], int]:
    """Return blocks without some steps, the comments above these, and where new steps belong."""
    left: list[TableText] = []
    words: list[str] = []
    gone = last = None
    number = 0
    for block in blocks:
        number += block.name == "step"
        if block.name == "step" and number not in kept:
            words += _comments(block)
            gone = len(left) if gone is None else gone
            continue
        left.append(block)
        last = len(left) if block.name == "step" else last
    later = [place for place, each in enumerate(left) if each.name in _AFTER_STEPS]
    places = [each for each in (last, gone, *later[:1], len(left)) if each is not None]
    return left, words, places[0]


def _insert(
    blocks: Sequence[TableText], place: int, new: Sequence[TableText], words: Sequence[str]
) -> list[TableText]:
    """Put tables between others, the first below some comments."""
    made = [replace(each, lead=("", *(words if not at else ()))) for at, each in enumerate(new)]
    return [*blocks[:place], *made, *blocks[place:]]


def _name_estimator(block: TableText, made: Plan) -> TableText:
    """Say in the table of a scenario which estimator the file chose, if it does not."""
    for number, scenario in enumerate(made.scenarios):
        spelled = (scenario.name, quote_text(scenario.name), f"'{scenario.name}'")
        names = [f"scenarios.{name}" for name in spelled] if number else ["scenario"]
        said = any(re.match(r"\s*estimator\s*=", line) for line in block.lines)
        if block.name in names and not said and "estimator" not in scenario.unsaid:
            return replace(block, lines=(*block.lines, f'estimator = "{scenario.estimator}"'))
    return block


def _comments(block: TableText) -> list[str]:
    return [line for line in block.lead if line.strip()]


def _is_wish(block: TableText) -> bool:
    return block.name.split(".")[0] == "propose" and block.name != _RESULT


def _says(text: str, plan: Plan) -> bool:
    """Whether a text says of steps and proposals what a plan does."""
    try:
        table = parse_toml(text)
        fill_seeds_from(table, plan.steps)
        read = build_plan(table, Path("plan"))
    except (tomllib.TOMLDecodeError, MicrosafeError, IndexError):
        return False
    return (read.steps, read.propose) == (plan.steps, plan.propose)
