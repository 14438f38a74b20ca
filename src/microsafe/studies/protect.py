"""The verbs that protect: each takes a step, with the signature and the words of its kind.

A kind of step without a verb is taken by `study.apply(step)`.
"""

from __future__ import annotations

from microsafe.steps import (
    BottomCode,
    Drop,
    Members,
    Microaggregate,
    Noise,
    Pram,
    RankSwap,
    Recode,
    Renumber,
    Round,
    Sample,
    Shuffle,
    Suppress,
    Swap,
    TopCode,
)
from microsafe.studies.measure import MeasureVerbs
from microsafe.studies.verb import verb


class ProtectVerbs(MeasureVerbs):
    """A study that can be protected."""

    __slots__ = ()

    sample = verb(Sample)
    members = verb(Members)
    recode = verb(Recode)
    top_code = verb(TopCode)
    bottom_code = verb(BottomCode)
    round = verb(Round)
    noise = verb(Noise)
    drop = verb(Drop)
    microaggregate = verb(Microaggregate)
    rank_swap = verb(RankSwap)
    shuffle = verb(Shuffle)
    swap = verb(Swap)
    renumber = verb(Renumber)
    pram = verb(Pram)
    suppress = verb(Suppress)
