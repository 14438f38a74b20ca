"""Make the tables of options in the docs from the fields that they are.

    uv run python docs/reference/make_options.py

A page has a mark such as `<!-- words of Scenario but name: begin -->` before a table, and
`<!-- end -->` after it. "words" are those of plans and Python, "options" those of the command line,
and "verbs" the signatures of all verbs that take a step. What lies between is written anew.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any

import microsafe as ms
from microsafe.cli.fields import list_choices, option_name, show_metavar
from microsafe.options.parameter import Parameter, parameters
from microsafe.options.proposal import ProposalTerms
from microsafe.options.reading import EngineOptions, FileOptions, PopulationOptions
from microsafe.options.release import Output
from microsafe.options.scenario import Assumptions
from microsafe.plan.model import Input
from microsafe.report.cover import ReportCover
from microsafe.steps import STEPS
from microsafe.variables.decide import Keep

DOCS = Path(__file__).parents[1]
PAGES = tuple(DOCS / "reference" / name for name in ("plans.md", "cli.md", "python.md"))
KINDS: dict[str, type] = {
    kind.__name__: kind
    for kind in (
        Assumptions, EngineOptions, FileOptions, Input, ms.Declaration, ms.Policy, ms.Scenario,
        Keep, Output, PopulationOptions, ProposalTerms, ReportCover, *STEPS.values(),
    )
}  # fmt: skip
_TABLE = re.compile(
    r"(?<=<!-- )(\w+) of (\w+)( but ([\w,-]+))?: begin -->\n.*?(?=<!-- end -->)", re.DOTALL
)
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


def make_page(path: Path) -> str:
    """Return a page with its tables as they should be."""

    def table(found: re.Match[str]) -> str:
        make, kind = TABLES[found[1]], KINDS.get(found[2], ms.Study)
        left_out = str(found[4]).replace(",", "|")
        rows = [row for row in make(kind, path) if not re.match(rf"\| `-*({left_out})\b", row)]
        return "\n".join([f"{found[1]} of {found[2]}{found[3] or ''}: begin -->", *rows, ""])

    return _TABLE.sub(table, path.read_text("utf-8"))


def list_words(kind: type, page: Path) -> Iterator[str]:
    """Return the rows of a table of a plan, or of a class in Python."""
    yield "| word | default | meaning |"
    yield "|---|---|---|"
    for part, default, meaning in _list_fields(kind, page):
        yield f"| `{part.name}` | {default} | {meaning} |"


def list_options(kind: type, page: Path) -> Iterator[str]:
    """Return the rows of a table of the command line."""
    yield "| option | default | meaning |"
    yield "|---|---|---|"
    known = parameters(kind)
    for part, default, meaning in _list_fields(kind, page):
        if known[part.name].secret:
            continue  # who can list processes reads a command line
        metavar = show_metavar(kind, part.name).replace("|", "\\|")
        name = option_name(part.name, known[part.name]).replace("_", "-")
        option = f"--{name} {metavar}".rstrip()
        plain = default.replace('"', "").replace("`false`", "off").replace("`true`", "on")
        yield f"| `{option}` | {plain} | {meaning} |"


def _list_fields(kind: type, page: Path) -> Iterator[tuple[Field[Any], str, str]]:
    """Return each field with its default and all that is said of it."""
    known, words = parameters(kind), list_choices(kind)
    for part in fields(kind):
        if part.name in known:
            meaning = explain(known[part.name], words[part.name], page)
            yield part, _show_default(part, known[part.name]), meaning


def list_verbs(kind: type, page: Path) -> Iterator[str]:
    """Return the rows of all verbs that take a step, with their signatures."""
    yield "| name | what |"
    yield "|---|---|"
    for name, step in STEPS.items():
        if hasattr(kind, name):
            first = (step.__doc__ or "").partition("\n\n")[0].replace("\n    ", " ")
            see = step.term.see and f" See {_rebase(step.term.see, page)}"
            call = f"{kind.__name__}.{name}{_show_signature(getattr(kind, name))}"
            yield f"| `{call}` | {first}{see} |"


TABLES: dict[str, Callable[[type, Path], Iterator[str]]] = {
    "words": list_words,
    "options": list_options,
    "verbs": list_verbs,
}


def explain(parameter: Parameter, words: Sequence[str], page: Path) -> str:
    """Return all that is said of an option that may be one of some words, or anything."""
    meanings = {word: text.removeprefix(f"{word}: ") for word, text in parameter.choices.items()}
    choices = "; ".join(f"`{word}`: {means}" for word, means in meanings.items())
    choices = choices or ", ".join(f"`{word}`" for word in words)
    help_text = parameter.help and f" {parameter.help.rstrip('.')}."
    see = parameter.see and f" See {_link(parameter.see, page)}"
    text = f"{parameter.label}{': ' + choices if choices else ''}.{help_text}{see}"
    return text.replace("|", "\\|").removesuffix(".")


def _link(target: str, page: Path) -> str:
    """Return the link to a page of the docs by its title."""
    name, hash_, part = target.partition("#")
    title = _TITLE.search((DOCS / name).read_text("utf-8"))
    assert title is not None
    shown = part.replace("-", " ").capitalize() if part else title[1]
    return f"[{shown}]({_relative(name, page)}{hash_}{part})"


def _relative(name: str, page: Path) -> str:
    return name if page.parent == DOCS else f"../{name}"


def _rebase(links: str, page: Path) -> str:
    """Return links of the docs as a page has to write them."""
    return re.sub(r"\]\(([^)]+)\)", lambda found: f"]({_relative(found[1], page)})", links)


def _show_default(part: Field[Any], parameter: Parameter) -> str:
    if part.default is MISSING and part.default_factory is MISSING:
        return "required"
    default = part.default if part.default_factory is MISSING else part.default_factory()
    if default in (None, "", (), {}) and not isinstance(default, bool):
        return parameter.unset or "none"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    return f'`"{default}"`' if isinstance(default, str) else f"{default:g}"


def _show_signature(call: Callable[..., object]) -> str:
    """Return the options of a verb with their defaults, without types."""
    _, *options, _ = inspect.signature(call).parameters.values()
    plain = [option.replace(annotation=inspect.Parameter.empty) for option in options]
    text = str(inspect.Signature(plain)).replace("'", '"').replace("|", "\\|")
    return f"{text[:-1]}, progress=...)"


if __name__ == "__main__":
    for each in PAGES:
        each.write_text(make_page(each), "utf-8", newline="\n")
