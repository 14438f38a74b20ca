"""Every variable as it would be read: type, missing codes, the first categories and counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from microsafe.codes import missing_texts
from microsafe.engine import count_kinds
from microsafe.engine.summaries import describe_mixture
from microsafe.errors import InputError
from microsafe.options.declaration import Declaration, Type
from microsafe.progress import Progress, silent
from microsafe.results import ResultTable
from microsafe.schema import Kind, Measure, Role, Variable
from microsafe.studies.categories import (
    BinCount,
    CategoryCount,
    CategoryTable,
    count_categories,
)
from microsafe.studies.declarations import propose_declarations
from microsafe.studies.state import StudyState
from microsafe.svg import draw_bars
from microsafe.variables.roles import guess_roles, tells_apart

_MOST = 5000  # categories; a variable with more has none that anybody would read
SHOWN = 12
_FEW = 20  # numbers that are a classification
_TYPES: Mapping[Kind, Type] = {"integer": "number", "number": "number", "date": "date"}


@dataclass(frozen=True, slots=True, kw_only=True)
class VariablePreview:
    """One variable as it would be read.

    Attributes:
        name: Of the variable.
        label: What it means.
        kind: How its values are stored.
        type: What it is, as declared or found.
        measure: Its level of measurement.
        role: What it is for, as declared or guessed.
        declaration: What is said of it so far.
        total: Categories that occur.
        categories: The first of them; none if they would tell people apart.
        bins: Of numbers with many categories.
        missing: Records in which it is missing.
        missing_codes: Codes that mean so.
        numbers: Records with a number, if it is text and holds numbers mostly; None otherwise.
        texts: Records with another text then.
        proposed: What the values suggest to declare.
        reason: Why that is proposed.
        fault: Why its values are not what they are declared to be.
    """

    name: str
    label: str
    kind: Kind
    type: Type
    measure: Measure
    role: Role
    declaration: Declaration | None = None
    total: int = 0
    categories: tuple[CategoryCount, ...] = ()
    bins: tuple[BinCount, ...] = ()
    missing: int = 0
    missing_codes: tuple[str, ...] = ()
    numbers: int | None = None
    texts: int | None = None
    proposed: Declaration | None = None
    reason: str = ""
    fault: str = ""


class VariablePreviews(ResultTable[VariablePreview]):
    """Variables as they would be read, in the order of the file."""

    title = "Variables as read"
    headings = ("variable", "type", "missing codes", "missing", "categories", "first categories")
    right = (3, 4)

    def _cells(self) -> list[tuple[str, ...]]:
        return [
            (
                each.name,
                each.type,
                ", ".join(each.missing_codes),
                f"{each.missing:,}",
                f"{each.total:,}",
                each.fault or _list_counts(each),
            )
            for each in self
        ]

    def _picture(self) -> str:
        bars = [(each.name, float(each.missing), f"{each.missing:,}") for each in self]
        return draw_bars("Records in which it is missing", [bar for bar in bars if bar[1]])

    def _remarks(self) -> Sequence[str]:
        mixtures = [(e.name, describe_mixture(e.numbers, e.texts, e.missing)) for e in self]
        return [
            *(f"{name}: {mixture}." for name, mixture in mixtures if mixture),
            *(f"{each.name}: {each.reason}" for each in self if each.reason),
        ]


def preview_variables(
    study: StudyState,
    names: Iterable[str] | None = None,
    *,
    most: int = SHOWN,
    progress: Progress = silent,
) -> VariablePreviews:
    """Show variables as they are read and declared (see `Study.preview_variables`)."""
    engine = study.engine
    chosen = study.schema.names if names is None else tuple(names)
    for name in chosen:
        study.schema[name]
    parsed = [n for n, each in study.declarations.items() if each.type in ("number", "date")]
    faults = {name: fault for name in parsed if (fault := _find_fault(study, name))}
    sound = [name for name in study.schema.names if name not in faults]
    traits = engine.traits(sound, progress=progress)
    guesses = {each.name: each for each in guess_roles(study.schema, traits, engine.rows())}
    proposed = propose_declarations(study, names=sound, progress=progress)
    kinds = count_kinds(engine, [each for each in traits if each.name in chosen], progress=progress)

    def preview(name: str) -> VariablePreview:
        variable = study.schema[name]
        if name in faults:
            return _describe(study, variable, None, role="other", fault=faults[name])
        guess = guesses[name]
        private = tells_apart(guess.role, guess.meaning)
        table = count_categories(engine, name, most=_MOST, private=private, progress=progress)
        found = _describe(
            study, variable, table, role=guess.role, most=most, proposed=proposed.get(name)
        )
        numbers, texts = kinds.get(name, (None, None))
        return replace(found, numbers=numbers, texts=texts)

    found = [preview(name) for name in chosen]
    return VariablePreviews(found, labels={each.name: each.label for each in found if each.label})


def _describe(
    study: StudyState,
    variable: Variable,
    table: CategoryTable | None,
    *,
    role: Role,
    most: int = 0,
    proposed: Declaration | None = None,
    fault: str = "",
) -> VariablePreview:
    said = study.declarations.get(variable.name)
    binned = table is not None and table.numeric and table.total > most
    words = () if proposed is None else (proposed.missing or ())[len(variable.missing) :]
    return VariablePreview(
        name=variable.name,
        label=variable.label,
        kind=variable.kind,
        type=(said and said.type) or _find_type(variable, table, bool(words)),
        measure=variable.measure,
        role=role,
        declaration=said,
        total=table.total if table else 0,
        categories=() if table is None or binned else table.categories[:most],
        bins=table.bins if table and binned else (),
        missing=table.missing if table else 0,
        missing_codes=tuple(missing_texts(variable)),
        proposed=proposed,
        reason=explain_words(tuple(map(str, words))) if words else "",
        fault=fault,
    )


def explain_words(words: Sequence[str]) -> str:
    """Say why words are proposed as missing."""
    return (
        f"{', '.join(words)} stands among numbers. Declare it missing (missing codes), or take "
        "all such words as missing (na = auto)."
    )


def _find_type(variable: Variable, table: CategoryTable | None, worded: bool) -> Type:
    """What a variable is of which nobody says it; `worded` if it holds numbers and words."""
    if variable.kind in _TYPES:
        coded = variable.labels and variable.measure != "scale"
        named = variable.measure in ("nominal", "ordinal")
        return "category" if coded or named else _TYPES[variable.kind]
    many = table is not None and table.total > _FEW
    if worded or (table is not None and table.numeric and many and not variable.labels):
        return "number"
    shown = table is not None and (table.categories or not table.total)
    return "category" if shown or variable.labels else "text"


def _find_fault(study: StudyState, name: str) -> str:
    """Why values are not what they are declared to be, if they are not."""
    try:
        study.engine.values(name)
    except InputError as error:
        return str(error)
    return ""


def _list_counts(each: VariablePreview) -> str:
    if each.bins:
        shown = [(f"{b.low:g} to <{b.high:g}", b.records) for b in each.bins if b.records][:3]
    else:
        shown = [(c.label or c.code, c.records) for c in each.categories[:3]]
    text = ", ".join(f"{name} ({records:,})" for name, records in shown)
    many = len([b for b in each.bins if b.records]) or each.total
    return f"{text}, ..." if shown and many > len(shown) else text
