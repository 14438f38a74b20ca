"""Make the glossary of intruders from the kinds: `python -m microsafe.intruders.glossary`."""

from __future__ import annotations

from microsafe.intruders import INTRUDERS
from microsafe.steps.glossary import TARGET, explain_term

_BEGIN, _END = "## Intruders\n", "## Steps\n"
_HEAD = """
An intruder is what somebody makes of what he knows; `name` is what [plans](plans.md), JSON and
Python call him. See [Who could recognise whom](../methods/intruders.md).
This table is made by `uv run python -m microsafe.intruders.glossary`.

| term | `name` | meaning | sdcMicro | mu-ARGUS |
|---|---|---|---|---|
"""


def glossary_section() -> str:
    """Return the section of the glossary on intruders, ordered by term."""
    terms = sorted((kind.term.name, kind.name, kind.term) for kind in INTRUDERS.values())
    rows = [
        f"| {name} | `{word}` | {explain_term(term)} | {term.sdcmicro} | {term.muargus} |\n"
        for name, word, term in terms
    ]
    return _BEGIN + _HEAD + "".join(rows) + "\n"


def with_section(page: str) -> str:
    """Return the glossary with the section on intruders before that on steps."""
    before, _, rest = page.partition(_END)
    return before.partition(_BEGIN)[0] + glossary_section() + _END + rest


if __name__ == "__main__":
    TARGET.write_text(with_section(TARGET.read_text("utf-8")), "utf-8", newline="\n")
