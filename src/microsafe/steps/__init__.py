"""Steps: what is done to the data. One file a kind, and one line in the list of kinds.

A kind is loaded when it is first asked for: who measures a file does not wait for what steps need.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING

from microsafe.lazily import load_lazily
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
    "Recode": "steps.recode",
    "TopCode": "steps.tails.step",
    "BottomCode": "steps.tails.step",
    "Drop": "steps.drop",
    "Microaggregate": "steps.microaggregate.step",
    "Pram": "steps.pram.step",
    "RankSwap": "steps.rank_swap",
    "Renumber": "steps.renumber",
    "Round": "steps.rounding",
    "Noise": "steps.noise.step",
    "Sample": "steps.sample",
    "Members": "steps.members",
    "Shuffle": "steps.shuffle.step",
    "Suppress": "steps.suppress.step",
    "Swap": "steps.swap.step",
}
_MODULES = {**_KINDS, "Step": "steps.base"}


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
    _load = load_lazily(__name__, _MODULES)

    def __getattr__(name: str) -> object:
        if name == "STEPS":  # made of all kinds, once
            found = globals()["STEPS"] = register(map(_load, _KINDS))
            return found
        return _load(name)


def __dir__() -> list[str]:
    return sorted(__all__)
