"""Inventory of a study: what makes each variable delicate, and the decision on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from microsafe.display import shorten_list
from microsafe.engine import count_kinds, find_words
from microsafe.errors import InventoryError
from microsafe.notices import Notice, make_notice
from microsafe.options.declaration import Declaration
from microsafe.progress import Progress, silent
from microsafe.sentences import Sentence
from microsafe.steps.change import Change
from microsafe.studies.changed_values import list_changes
from microsafe.studies.state import StudyState
from microsafe.studies.telling_variables import find_tellers, list_telling_notices
from microsafe.studies.telling_weights import find_telling_weights, recognise_telling_weight
from microsafe.variables.decide import Keep, decide, is_barred, reasons_to_keep
from microsafe.variables.inventory import Inventory
from microsafe.variables.people import with_people
from microsafe.variables.profile import VariableProfile
from microsafe.variables.recognise import Finding, FindingKind, recognise
from microsafe.variables.roles import guess_roles
from microsafe.variables.traits import Traits

_IDENTIFYING: frozenset[FindingKind] = frozenset({"direct identifier", "record number"})
_DELICATE: Mapping[str | None, FindingKind] = {
    "identifier": "direct identifier",
    "id": "record number",
    "household": "household number",
}


def make_inventory(
    study: StudyState,
    *,
    keep: Mapping[str, str] | Iterable[Keep] = (),
    progress: Progress = silent,
) -> Inventory:
    """List all variables with their decisions (see `Study.inventory`)."""
    start = study._before()
    why = reasons_to_keep(keep)
    for name in why:
        start.schema[name]
    homes = {scenario.household for scenario in start.scenarios if scenario.household}
    traits = with_people(start.schema, start.engine.traits(progress=progress), homes)
    known = start.declarations
    guesses = [
        _respect_declared(guess, known.get(guess.name))
        for guess in guess_roles(start.schema, traits, start.engine.rows())
    ]
    words = find_words(start.engine)
    kinds = count_kinds(start.engine, [trait for trait in traits if trait.name not in words])
    weights = find_telling_weights(study, traits)
    told = {notice.figures["weight"] for notice in weights}
    tellers = find_tellers(study, progress=progress)
    rows = [
        _decide(
            study,
            replace(_count(guess, kinds), numeric=_is_numeric(start, trait)),
            trait,
            (*_find(start, trait), *tellers.get(trait.name, ())),
            why.get(trait.name, ""),
        )
        for guess, trait in zip(guesses, traits, strict=True)
    ]
    return Inventory(
        source=start.schema.source,
        records=start.engine.rows(),
        rows=tuple(rows),
        notices=(
            *list_telling_notices(study, besides=told, progress=progress),
            *weights,
            *(
                make_notice("mixed-kinds", name=row.name, mixture=row.mixture)
                for row in rows
                if row.mixture
            ),
            *_tell_words(words),
        ),
    )


def _tell_words(found: Mapping[str, tuple[str, ...]]) -> Iterator[Notice]:
    """Say which words stand among numbers, once for all variables that have the same."""
    names: dict[tuple[str, ...], list[str]] = {}
    for name, words in found.items():
        names.setdefault(words, []).append(name)
    for words, some in names.items():
        yield make_notice(
            "missing-words", names=shorten_list(some), count=len(some), words=", ".join(words)
        )


def refuse_identifiers(found: Inventory) -> None:
    """Refuse to write direct identifiers.

    Raises:
        InventoryError: One would go out without a reason.
    """
    if not found.barred:
        return
    one = len(found.barred) == 1
    raise InventoryError(
        f"Nothing was written: {shorten_list(found.barred)} of {found.source} "
        f"{'is a direct identifier' if one else 'are direct identifiers'}. Drop "
        f"{'it' if one else 'them'} (drop=..., --drop NAME), or give the reason to keep "
        f"""{"it" if one else "them"} (keep={{name: reason}}, --keep NAME="reason")."""
    )


def _decide(
    study: StudyState,
    guess: VariableProfile,
    traits: Traits,
    findings: tuple[Finding, ...],
    why: str,
) -> VariableProfile:
    """Return a variable with what makes it delicate, and what becomes of it."""
    name = guess.name
    taken = list_changes(study, name)
    decision = decide(
        name,
        findings,
        goes_out=name in study.schema,
        scenarios=study.scenarios,
        steps=[each.words for each in taken],
        reweighed=any(each.step.reweighs for each in taken),
        ordered=traits.in_order,
        why=why,
    )
    renumbered = any(each.step.do == "renumber" for each in taken)
    return replace(
        guess,
        findings=findings,
        decision=decision,
        barred=is_barred(findings, decision, renumbered=renumbered),
        changed=bool(taken) or _lost_values(study, name),
        homes=any(name == scenario.household for scenario in study.scenarios),
    )


def _respect_declared(guess: VariableProfile, said: Declaration | None) -> VariableProfile:
    """A person may say once for all files that a variable is no identifier."""
    if said is None or said.identifying is not False:
        return guess
    role = "other" if guess.role == "identifier" else guess.role
    return replace(guess, role=role, meaning="", reason=Sentence("declared-no-identifier"))


def _count(guess: VariableProfile, kinds: Mapping[str, tuple[int, int]]) -> VariableProfile:
    """Return a variable with how many numbers and texts it holds, if both."""
    numbers, texts = kinds.get(guess.name, (None, None))
    return replace(guess, numbers=numbers, texts=texts)


def _is_numeric(start: StudyState, traits: Traits) -> bool:
    """Whether all values are numbers, or spell one."""
    return start.schema[traits.name].kind in ("integer", "number") or traits.all_numbers


def _lost_values(study: StudyState, name: str) -> bool:
    """Whether a step that names others blanked it or drew it anew."""
    others = (step for step in study.steps if not isinstance(step.step, Change))
    return any(name in step.step.changed_variables(step) for step in others)


def _find(start: StudyState, traits: Traits) -> tuple[Finding, ...]:
    """Recognise a variable, knowing what scenarios use it for."""
    name, records = traits.name, start.engine.rows()
    variable = start.schema[name]
    if any(name == scenario.weight for scenario in start.scenarios):
        found = recognise(replace(variable, role="weight"), traits, records)
        return (*found, *recognise_telling_weight(start.engine, start.scenarios, traits))
    said = start.declarations.get(name)
    found = (*_find_declared(said), *recognise(variable, traits, records))
    if said is not None and said.identifying is False:
        found = tuple(each for each in found if each.kind not in _IDENTIFYING)
    found = tuple({each.kind: each for each in reversed(found)}.values())[::-1]
    if any(name == scenario.person for scenario in start.scenarios):
        others = [each for each in found if each.kind != "direct identifier"]
        return (*others, Finding("record number", Sentence("person-number")))
    if any(name == scenario.household for scenario in start.scenarios) and traits.in_order:
        reason = Sentence("household-in-order")
        named = [each for each in found if each.kind != "household number"]
        return (*named, Finding("household number", reason))
    return found


def _find_declared(said: Declaration | None) -> Iterator[Finding]:
    """What a person says that a variable is; the data need not show it."""
    if said is None:
        return
    if said.role in _DELICATE:
        yield Finding(_DELICATE[said.role], Sentence("declared-role", role=said.role))
    if said.identifying:
        yield Finding("direct identifier", Sentence("declared-identifier"))
    if said.type == "text" and said.role is None:
        yield Finding("free text", Sentence("declared-text"))
