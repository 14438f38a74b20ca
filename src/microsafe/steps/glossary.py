"""The glossary of steps, made from the kinds: `python -m microsafe.steps.glossary`."""

from __future__ import annotations

from pathlib import Path

from microsafe.steps import STEPS
from microsafe.steps.base import GlossaryTerm

TARGET = Path(__file__).parents[3] / "docs" / "reference" / "glossary.md"

_BEGIN = "## Steps\n"
_HEAD = """
A step is one change of the data; `do` is its name in [plans](plans.md) and its verb in Python.
This table is made by `uv run python -m microsafe.steps.glossary`.

| term | `do` | meaning | sdcMicro | mu-ARGUS |
|---|---|---|---|---|
"""


def glossary_section() -> str:
    """Return the section of the glossary on steps, ordered by term."""
    terms = sorted((kind.term.name, kind.do, kind.term) for kind in STEPS.values())
    rows = [
        f"| {name} | `{do}` | {explain_term(term)} | {term.sdcmicro} | {term.muargus} |\n"
        for name, do, term in terms
    ]
    return _BEGIN + _HEAD + "".join(rows)


def explain_term(term: GlossaryTerm) -> str:
    """Return what a term means, and where that is explained."""
    see = term.see.replace("](", "](../")  # the glossary lies one folder deeper than `see` tells
    return f"{term.meaning} See {see}." if see else term.meaning


def with_section(page: str) -> str:
    """Return the glossary with the section on steps at its end."""
    return page.partition(_BEGIN)[0] + glossary_section()


if __name__ == "__main__":
    TARGET.write_text(with_section(TARGET.read_text("utf-8")), "utf-8", newline="\n")
