"""The verbs that protect: each takes a step, with the signature and the words of its kind.

A kind of step without a verb is taken by `study.apply(step)`.
"""

from __future__ import annotations

from typing import Self

from microsafe import steps
from microsafe.studies.measure import MeasureVerbs
from microsafe.studies.recode_like import make_recode_like
from microsafe.studies.verb import verb


class ProtectVerbs(MeasureVerbs):
    """A study that can be protected."""

    __slots__ = ()

    sample = verb(lambda: steps.Sample)
    members = verb(lambda: steps.Members)
    recode = verb(lambda: steps.Recode)
    top_code = verb(lambda: steps.TopCode)
    bottom_code = verb(lambda: steps.BottomCode)
    round = verb(lambda: steps.Round)
    noise = verb(lambda: steps.Noise)
    drop = verb(lambda: steps.Drop)
    microaggregate = verb(lambda: steps.Microaggregate)
    rank_swap = verb(lambda: steps.RankSwap)
    shuffle = verb(lambda: steps.Shuffle)
    swap = verb(lambda: steps.Swap)
    renumber = verb(lambda: steps.Renumber)
    pram = verb(lambda: steps.Pram)
    suppress = verb(lambda: steps.Suppress)

    def recode_like(self, variable: str, key: str, *, why: str = "") -> Self:
        """Recode a variable that tells of a changed key: it shows what is released of the key.

        Each of its categories becomes the released category of the key that most of its records
        have; where nothing is released of the key, the variable is dropped. The step is an ordinary
        recode that names its groups.

        Args:
            variable: What tells of the key (see `inventory` and the rule `telling`).
            key: That was recoded, suppressed or dropped.
            why: Reason, written to the plan and the report.
        """
        return self.apply(make_recode_like(self, variable, key, why=why))
