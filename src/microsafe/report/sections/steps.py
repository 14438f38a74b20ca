"""Steps in plain words, with their bands and categories, for each audience."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from microsafe.codes import spell_code
from microsafe.options.parameter import Parameter, parameters, value_in_words
from microsafe.report.content import Content
from microsafe.report.document import Block, Heading, Inline, Paragraph, name
from microsafe.report.parts import facts, reason
from microsafe.report.shown_numbers import count, show_number
from microsafe.report.texts import localise, retell, say, step_words
from microsafe.sentences import Sentence
from microsafe.steps.base import Step

_MANY_CODES = 60

# What the public is told of a step besides its sentence: what the file itself shows.
_PUBLIC: Mapping[str, tuple[str, ...]] = {
    "recode": ("groups", "other", "breaks", "keep", "classification"),
    "top_code": ("limit", "label"),
    "bottom_code": ("limit", "label"),
    "round": ("base",),
    "microaggregate": ("variables", "k", "method"),
    "rank_swap": ("variables",),
    "shuffle": ("variables", "given"),
    "pram": ("keep", "band"),
    "swap": ("areas", "carry"),
}


def board_steps(content: Content) -> Iterator[Block]:
    """Say of every step why it was taken, how, and what came of it."""
    if not content.steps:
        yield Paragraph(say("Nothing was changed."))
    for number, step in enumerate(content.steps, 1):
        yield _title(number, step.step, content)
        yield from reason(step.step.why)
        rows = [*_tell_parameters(step.step, content), *_tell_results(step.step.results(step))]
        yield from facts((what, name(text)) for what, text in rows)


def public_steps(content: Content) -> Iterator[Block]:
    """Say what every step does, and the bands and categories that it made.

    Nothing is said of variables that do not go out, their names included: "telephone" tells whom to
    ask.
    """
    gone = content.comparison.dropped
    drops = [each for each in content.steps if each.step.do == "drop"]
    shown = [
        each
        for each in content.steps
        if each.step.subject not in gone and each not in drops[1:]  # one says it all
    ]
    for number, step in enumerate(shown, 1):
        yield _title(number, step.step, content)
        yield Paragraph(step_words(step.step).public)
        told = (*_PUBLIC.get(step.step.do, ()), *step.step.public_parameters)
        rows = [
            *_tell_parameters(step.step, content, told, gone),
            *_tell_results(step.step.public_results(step, matrix=content.publish_matrix)),
        ]
        yield from facts((what, name(text)) for what, text in rows)


def _tell_results(results: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Sentences are told in the language; everything else is numbers, and names with numbers."""
    return [
        (retell(what), retell(text) if isinstance(text, Sentence) else localise(text))
        for what, text in results
    ]


def _title(number: int, step: Step, content: Content) -> Heading:
    title = step_words(step).title
    if not step.subject:
        return Heading(f"{number}. {title}")
    label = content.labels.get(step.subject, "")
    subject: Inline = name(step.subject)
    if label and label != step.subject:
        subject = (subject, " (", name(label), ")")
    return Heading((f"{number}. {title}: ", subject))


def _tell_parameters(
    step: Step,
    content: Content,
    names: Sequence[str] | None = None,
    gone: Collection[str] = (),
) -> list[tuple[str, str]]:
    """The parameters that were given, in words; secrets and variables that are gone left out."""
    words, found = step_words(step), []
    for field, parameter in parameters(type(step)).items():
        value = getattr(step, field)
        if isinstance(value, tuple):
            value = tuple(each for each in value if each not in gone)
        left_out = field in ("why", "variable") or (names is not None and field not in names)
        if left_out or parameter.secret or _is_nothing(value) or not parameter.matters(step):
            continue
        if (step.do, field) in _SAID_BY_OTHERS:
            continue
        told = _tell_value(step, field, value, parameter, content)
        found.append((words.parameters.get(field, parameter.label), told))
    return found


def _tell_value(step: Step, field: str, value: Any, parameter: Parameter, content: Content) -> str:
    """A value in words: those of the report, those of the parameter, or as people write it."""
    if special := _SPECIAL.get((step.do, field)):
        return special(step, content)
    if parameter.words is not value_in_words:
        return parameter.words(value)
    return _value(step_words(step).choices.get(str(value), value))


def _is_nothing(value: Any) -> bool:
    return value is None or value is False or (hasattr(value, "__len__") and len(value) == 0)


def _value(value: Any) -> str:
    """A value of a parameter as people write it."""
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if isinstance(value, Mapping):
        return "; ".join(f"{_value(k)}: {_value(v)}" for k, v in value.items())
    if isinstance(value, tuple | list):
        return ", ".join(map(_value, value))
    return localise(f"{value:.10g}") if isinstance(value, float) else str(value)


def _groups(step: Any, content: Content) -> str:
    old = content.categories.get(step.variable, {})
    return "; ".join(
        f"{_with_label(new, step.labels)}: {', '.join(_old(code, old) for code in codes)}"
        for new, codes in step.groups.items()
    )


def _old(code: Any, labels: Mapping[str, str]) -> str:
    """A code with its label, or a range as "3 to 5", "9 and above" or "up to 5"."""
    if not isinstance(code, tuple):
        return _with_label(str(code), labels)
    low, high = code
    if not high:
        return say("{low} and above", low=low)
    return say("{low} to {high}", low=low, high=high) if low else say("up to {high}", high=high)


def _with_label(code: str, labels: Mapping[str, str]) -> str:
    label = labels.get(code, "")
    return f"{code} {label}" if label and label != code else code


def _bands(step: Any, content: Content) -> str:
    """The bands that breaks make: "0 to under 20; 20 to under 40; 40 and above"."""
    breaks = [localise(f"{each:.10g}") for each in step.breaks]
    bands = [say("under {high}", high=breaks[0])]
    bands += [say("{low} to under {high}", low=a, high=b) for a, b in pairwise(breaks)]
    bands.append(say("{low} and above", low=breaks[-1]))
    names = [_with_label(each, step.labels) for each in step.names]
    if names:
        shown = bands[len(bands) - len(names) :]
        return "; ".join(f"{code}: {band}" for code, band in zip(names, shown, strict=True))
    released = {each.name: each for each in content.released}.get(step.variable)
    codes = {category.code for category in released.categories} if released else set()
    lowest = f"under {spell_code(step.breaks[0])}" in codes or not codes
    return "; ".join(bands if lowest else bands[1:])


def _levels(step: Any, content: Content) -> str:
    old = content.categories.get(step.variable, {})
    used = step.classification[: step.level]
    return say(", then ").join(
        _level(each, old if not height else {}, step.labels) for height, each in enumerate(used)
    )


def _level(level: Mapping[str, str], old: Mapping[str, str], new: Mapping[str, str]) -> str:
    """The codes below each parent, or how many there are where nobody would read on."""
    parents: dict[str, list[str]] = {}
    for code, parent in level.items():
        parents.setdefault(str(parent), []).append(_with_label(code, old))
    if len(level) > _MANY_CODES:
        return say("{codes} codes into {parents}", codes=count(len(level)), parents=len(parents))
    return "; ".join(
        f"{_with_label(parent, new)}: {', '.join(codes)}" for parent, codes in parents.items()
    )


def _limit(step: Any, content: Content) -> str:  # noqa: ARG001
    return show_number(step.limit, 10)


# Codes and labels that the words of another parameter hold already.
_SAID_BY_OTHERS = {("recode", "names"), ("recode", "labels"), ("recode", "level")}
_SPECIAL: Mapping[tuple[str, str], Callable[[Any, Content], str]] = {
    ("recode", "groups"): _groups,
    ("recode", "breaks"): _bands,
    ("recode", "classification"): _levels,
    ("top_code", "limit"): _limit,
    ("bottom_code", "limit"): _limit,
}
