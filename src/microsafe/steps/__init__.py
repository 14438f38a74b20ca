"""Steps: what is done to the data. One file a kind, and one line in the list of kinds.

A kind is loaded when it is first asked for: who measures a file does not wait for what steps need.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from importlib import import_module
from typing import TYPE_CHECKING

from microsafe.options.parameter import parameters

if TYPE_CHECKING:
    from microsafe.steps.base import Step
    from microsafe.steps.drop import Drop
    from microsafe.steps.members import Members
    from microsafe.steps.microaggregate.step import Microaggregate
    from microsafe.steps.noise.step import Noise
    from microsafe.steps.pram.step import Pram
    from microsafe.steps.rank_swap import RankSwap
    from microsafe.steps.recode import Recode
    from microsafe.steps.renumber import Renumber
    from microsafe.steps.rounding import Round
    from microsafe.steps.sample import Sample
    from microsafe.steps.shuffle.step import Shuffle
    from microsafe.steps.suppress.step import Suppress
    from microsafe.steps.swap.step import Swap
    from microsafe.steps.tails.step import BottomCode, TopCode

    STEPS: Mapping[str, type[Step]]

__all__ = [
    "STEPS",
    "BottomCode",
    "Drop",
    "Members",
    "Microaggregate",
    "Noise",
    "Pram",
    "RankSwap",
    "Recode",
    "Renumber",
    "Round",
    "Sample",
    "Shuffle",
    "Step",
    "Suppress",
    "Swap",
    "TopCode",
    "register",
]

_KINDS = {
    "Recode": "recode",
    "TopCode": "tails.step",
    "BottomCode": "tails.step",
    "Drop": "drop",
    "Microaggregate": "microaggregate.step",
    "Pram": "pram.step",
    "RankSwap": "rank_swap",
    "Renumber": "renumber",
    "Round": "rounding",
    "Noise": "noise.step",
    "Sample": "sample",
    "Members": "members",
    "Shuffle": "shuffle.step",
    "Suppress": "suppress.step",
    "Swap": "swap.step",
}
_MODULES = {**_KINDS, "Step": "base"}


def register(kinds: Iterable[type[Step]]) -> dict[str, type[Step]]:
    """Return kinds by name.

    Raises:
        TypeError: Two have one name, one has no reason, a field has no words, or a secret is shown.
    """
    found: dict[str, type[Step]] = {}
    for kind in kinds:
        words = parameters(kind)
        if "why" not in words:
            raise TypeError(f"The step {kind.__name__} lacks why.")
        for field in fields(kind):  # type: ignore[arg-type]
            if field.name not in words:
                raise TypeError(f"The step {kind.__name__} lacks words for {field.name!r}.")
            if field.repr and words[field.name].secret:
                raise TypeError(f"The step {kind.__name__} shows its secret {field.name!r}.")
        if kind.do in found:
            raise TypeError(f"Two steps are called {kind.do!r}.")
        found[kind.do] = kind
    return found


if not TYPE_CHECKING:  # which would take any name for one of ours

    def __getattr__(name: str) -> object:
        if name == "STEPS":
            found = globals()["STEPS"] = register(__getattr__(kind) for kind in _KINDS)
            return found
        if name not in _MODULES:
            raise AttributeError(f"module 'microsafe.steps' has no attribute {name!r}")
        return getattr(import_module(f"microsafe.steps.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
