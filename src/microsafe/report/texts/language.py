"""What a language of the reports consists of, and how its file is read."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class StepWords:
    """The words of a kind of step.

    Attributes:
        title: Name of the method.
        public: What it does, in a sentence or two, for the public.
        parameters: Labels of its parameters, by field.
        choices: What a chosen word means, by word.
    """

    title: str
    public: str
    parameters: Mapping[str, str]
    choices: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language of the reports.

    Attributes:
        code: Its name in plans.
        html: Its name in pages.
        texts: Every text of the reports, by the English one.
        steps: Words of the kinds of steps, by `do`.
        notices: What notices say, by id: `fact`, `one` where that differs, and `remedy`.
        sentences: Sentences of other rooms, by id.
        thousands: Separates them.
        decimal: Stands before the decimals.
    """

    code: str
    html: str
    texts: Mapping[str, str] = field(default_factory=dict)
    steps: Mapping[str, StepWords] = field(default_factory=dict)
    notices: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    sentences: Mapping[str, str] = field(default_factory=dict)
    thousands: str = ","
    decimal: str = "."


def read_language(path: Path) -> Language:
    """Return a language from its file, which is named by its code.

    Args:
        path: TOML with the fields of `Language`.
    """
    words = tomllib.loads(path.read_text("utf-8"))
    steps = {do: StepWords(**told) for do, told in words.pop("steps").items()}
    return Language(code=path.stem, steps=steps, **words)
