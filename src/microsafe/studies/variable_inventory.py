"""All variables of a study: what each is, what makes it delicate, and what becomes of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace

from microsafe.display import shorten_list
from microsafe.engine import Engine, count_kinds, find_words
from microsafe.engine.summaries import describe_mixture
from microsafe.errors import InventoryError
from microsafe.notices import Notice, make_notice
from microsafe.options.declaration import Declaration
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, name_stage, silent
from microsafe.studies.state import StudyState
from microsafe.studies.telling_weights import find_telling_weights, takes_few_values
from microsafe.studies.variable_description import measure_gains
from microsafe.variables.decide import Keep, decide, is_barred, reasons_to_keep
from microsafe.variables.description import Description
from microsafe.variables.inventory import Inventory, InventoryRow
from microsafe.variables.meanings import RoleGuess
from microsafe.variables.recognise import Finding, FindingKind, recognise
from microsafe.variables.roles import guess_roles, order_keys
from microsafe.variables.traits import Traits

_DELICATE: Mapping[str | None, FindingKind] = {
    "identifier": "direct identifier",
    "id": "record number",
    "household": "household number",
}
_PLAIN = (None, None)  # of no mixed kinds
_WORDS = "{words} among its numbers may stand for missing (na = auto takes it so)."


def describe_variables(study: StudyState, *, progress: Progress = silent) -> Description:
    """Look at every variable (see `Study.describe`)."""
    engine = study.engine
    found = engine.describe(progress=progress)
    traits = engine.traits(progress=name_stage(progress, "looking at values"))
    guesses = guess_roles(engine.schema, traits, engine.rows())
    keys = [each.name for each in order_keys(guesses)]
    gains = measure_gains(engine, keys, progress=name_stage(progress, "counting combinations"))
    words = find_words(engine, progress=name_stage(progress, "looking for missing words"))
    kinds = count_kinds(engine, traits, progress=name_stage(progress, "counting numbers"))
    return Description(
        replace(
            summary,
            role=guess.role,
            meaning=guess.meaning,
            sensitive=guess.sensitive or guess.name in study.roles.sensitive,
            reason=_reason(study, guess, words.get(guess.name, ())),
            place=guess.place,
            **(asdict(gains[guess.name]) if guess.name in gains else {}),
            numbers=kinds.get(guess.name, _PLAIN)[0],
            texts=kinds.get(guess.name, _PLAIN)[1],
        )
        for summary, guess in zip(found, guesses, strict=True)
    )


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
    traits = start.engine.traits(progress=progress)
    guesses = guess_roles(start.schema, traits, start.engine.rows())
    rows = [
        _row(study, guess, each, _find(start, each), why.get(each.name, ""))
        for guess, each in zip(guesses, traits, strict=True)
    ]
    words = find_words(start.engine)
    return Inventory(
        source=start.schema.source,
        records=start.engine.rows(),
        rows=tuple(rows),
        notices=(
            *find_telling_weights(study, traits),
            *_tell_kinds(start, traits, words),
            *(
                make_notice("missing-words", name=name, words=", ".join(each))
                for name, each in words.items()
            ),
        ),
    )


def _tell_kinds(
    study: StudyState, traits: Sequence[Traits], words: Collection[str]
) -> Iterator[Notice]:
    """Say which variables hold numbers mostly, and texts other than words for missing."""
    missing = {each.name: each.missing for each in traits}
    others = [each for each in traits if each.name not in words]
    for name, (numbers, texts) in count_kinds(study.engine, others).items():
        mixture = describe_mixture(numbers, texts, missing[name])
        yield make_notice("mixed-kinds", name=name, mixture=mixture)


def _reason(study: StudyState, guess: RoleGuess, words: Sequence[str]) -> str:
    """What a role was recognised by, and words that may stand for missing."""
    said = study.declarations.get(guess.name)
    reason = "It is declared so." if said and said.role else guess.reason
    return f"{reason} {_WORDS.format(words=', '.join(words))}".strip() if words else reason


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


def _row(
    study: StudyState, guess: RoleGuess, traits: Traits, findings: tuple[Finding, ...], why: str
) -> InventoryRow:
    variable = study._before().schema[guess.name]
    taken = [each for each in study.steps if variable.name in each.step.targets]
    decision = decide(
        variable.name,
        findings,
        goes_out=variable.name in study.schema,
        scenarios=study.scenarios,
        steps=taken,
        ordered=traits.in_order,
        why=why,
    )
    return InventoryRow(
        name=variable.name,
        label=variable.label,
        kind=variable.kind,
        distinct=traits.distinct,
        missing=traits.missing,
        findings=findings,
        decision=decision,
        barred=is_barred(findings, decision, taken),
        changed=bool(taken) or _lost_values(study, variable.name),
        guess=guess,
    )


def _lost_values(study: StudyState, name: str) -> bool:
    return any(name in each.step.changed_variables(each) for each in study.steps)


def _find(start: StudyState, traits: Traits) -> tuple[Finding, ...]:
    """Recognise a variable, knowing what scenarios use it for."""
    name, records = traits.name, start.engine.rows()
    variable = start.schema[name]
    if any(name == each.weight for each in start.scenarios):
        found = recognise(replace(variable, role="weight"), traits, records)
        return (*found, *_telling_weight(start.engine, start.scenarios, traits))
    found = (*_find_declared(start.declarations.get(name)), *recognise(variable, traits, records))
    found = tuple({each.kind: each for each in reversed(found)}.values())[::-1]
    if any(name == each.household for each in start.scenarios) and traits.in_order:
        reason = "The records are in the order of this number of their household."
        named = [each for each in found if each.kind != "household number"]
        return (*named, Finding("household number", reason))
    return found


def _find_declared(said: Declaration | None) -> Iterator[Finding]:
    """What a person says that a variable is; the data need not show it."""
    if said is None:
        return
    if said.role in _DELICATE:
        yield Finding(_DELICATE[said.role], f"It is declared so: role {said.role}.")
    if said.type == "text" and said.role is None:
        yield Finding("free text", "It is declared so: type text.")


def _telling_weight(
    engine: Engine, scenarios: Sequence[Scenario], traits: Traits
) -> tuple[Finding, ...]:
    """Say of which key a weight gives the category away: each of its values occurs in one only."""
    if not takes_few_values(traits):
        return ()
    weighted = [each for each in scenarios if each.weight == traits.name]
    keys = dict.fromkeys(key for each in weighted for key in each.keys)
    told = _find_given_away(engine, traits.name, list(keys))
    if not told:
        return ()
    return (
        Finding(
            "telling weight",
            f"{traits.distinct:,} different weights, and each of them occurs in one category of "
            f"{', '.join(told)} only.",
        ),
    )


def _find_given_away(engine: Engine, weight: str, keys: Sequence[str]) -> list[str]:
    """Return the keys in which records of one weight never differ.

    Keys without gaps are looked at like those of households, which ends at the first difference.
    """
    looked = engine.traits([weight, *keys])
    whole = [each.name for each in looked if each.records == engine.rows()]
    constant = [key for key in keys if key in whole] if weight in whole else []
    if constant:
        together = Scenario(keys=tuple(constant), household=weight)
        differing = {*constant} - {*engine.find_constant_keys(together)}
        keys = [key for key in keys if key not in differing]
    return [key for key in keys if _gives_away(engine, weight, key)]


def _gives_away(engine: Engine, weight: str, key: str) -> bool:
    """Whether records of one weight never differ in a key that does differ."""
    cells = engine.cells(Scenario(keys=(weight, key)))
    known = cells.codes[1] > 0
    one, other = cells.codes[0][known], cells.codes[1][known]
    return len(set(other.tolist())) > 1 and len(set(one.tolist())) == len(one)
