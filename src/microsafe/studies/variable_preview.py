"""Preview every variable: type, missing codes, first categories and counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from microsafe.engine import count_kinds
from microsafe.errors import InputError
from microsafe.options.declaration import Declaration, Type
from microsafe.progress import Progress, silent
from microsafe.schema import Kind, Variable
from microsafe.studies.categories import count_categories
from microsafe.studies.declarations import propose_declarations
from microsafe.studies.state import StudyState
from microsafe.variables.description import VariablePreviews
from microsafe.variables.profile import VariableProfile, profile_variable
from microsafe.variables.roles import guess_roles, tells_apart

_MOST = 5000  # categories; a variable with more has none that anybody would read
SHOWN = 12
_FEW = 20  # numbers that are a classification
_TYPES: Mapping[Kind, Type] = {"integer": "number", "number": "number", "date": "date"}


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
    parsed = [
        n for n, declaration in study.declarations.items() if declaration.type in ("number", "date")
    ]
    faults = {name: fault for name in parsed if (fault := _find_fault(study, name))}
    sound = [name for name in study.schema.names if name not in faults]
    traits = engine.traits(sound, progress=progress)
    guesses = {role.name: role for role in guess_roles(study.schema, traits, engine.rows())}
    proposed = propose_declarations(study, names=sound, progress=progress)
    kinds = count_kinds(
        engine, [trait for trait in traits if trait.name in chosen], progress=progress
    )

    def preview(name: str) -> VariableProfile:
        if name in faults:
            found = replace(profile_variable(study.schema[name]), role="other", fault=faults[name])
            return _as_read(study, found)
        guess = guesses[name]
        private = tells_apart(guess.role, guess.meaning)
        found = count_categories(engine, name, most=_MOST, private=private, progress=progress)
        numbers, texts = kinds.get(name, (None, None))
        found = replace(
            guess,
            distinct=found.distinct,
            missing=found.missing,
            numeric=found.numeric,
            numbers=numbers,
            texts=texts,
            categories=found.categories,
            bins=found.bins,
        )
        return _show_first(_as_read(study, found, proposed.get(name)), most)

    found = [preview(name) for name in chosen]
    return VariablePreviews(found, labels={each.name: each.label for each in found if each.label})


def _as_read(
    study: StudyState, found: VariableProfile, proposed: Declaration | None = None
) -> VariableProfile:
    """Return a variable with what is said of it, and what else the values suggest to say."""
    variable, said = study.schema[found.name], study.declarations.get(found.name)
    words = () if proposed is None else (proposed.missing or ())[len(variable.missing) :]
    return replace(
        found,
        type=(said and said.type) or _find_type(variable, found, bool(words)),
        declaration=said,
        proposed=proposed,
        why_proposed=explain_words(tuple(map(str, words))) if words else "",
    )


def _show_first(found: VariableProfile, most: int) -> VariableProfile:
    """Leave categories out that are too many to be read; numbers have bins then."""
    binned = found.numeric and found.distinct > most
    return replace(
        found,
        categories=() if binned else found.categories[:most],
        bins=found.bins if binned else (),
    )


def explain_words(words: Sequence[str]) -> str:
    """Say why words are proposed as missing."""
    return f"Among its numbers stands {', '.join(words)}: treat it as missing?"


def _find_type(variable: Variable, found: VariableProfile, worded: bool) -> Type:
    """What a variable is of which nobody says it; `worded` if it holds numbers and words."""
    if variable.kind in _TYPES:
        coded = variable.labels and variable.measure != "scale"
        named = variable.measure in ("nominal", "ordinal")
        return "category" if coded or named else _TYPES[variable.kind]
    if worded or (found.numeric and found.distinct > _FEW and not variable.labels):
        return "number"
    shown = found.categories or not found.distinct
    return "category" if shown or variable.labels else "text"


def _find_fault(study: StudyState, name: str) -> str:
    """Why values are not what they are declared to be, if they are not."""
    try:
        study.engine.values(name)
    except InputError as error:
        return str(error)
    return ""
