"""Inference: he learns a sensitive attribute of a person without finding the record."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index, number
from microsafe.intruders.base import AttackedFile, Intruder, IntruderResult
from microsafe.intruders.record_parts import part_records
from microsafe.notices import Notice, make_notice
from microsafe.progress import Progress, silent
from microsafe.risk.counts.diversity import distinct, equal_distance
from microsafe.risk.counts.equivalence_classes import ClassValues
from microsafe.risk.counts.inferred_values import ReleasedValues
from microsafe.sentences import Sentence
from microsafe.steps.base import GlossaryTerm
from microsafe.sums import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class InferenceIntruder(Intruder):
    """Learns a sensitive attribute of persons whose keys are known, without finding the record."""

    name = "inference"
    title = "Inference"
    brief = "Learns something sensitive without finding the record"
    knows = (
        "Someone who knows the keys of one person who took part, and learns a sensitive attribute "
        "from records that agree, without finding the person's own."
    )
    assumes = (
        "The likeliest value among records that agree with the keys is taken; what people who are "
        "not in the file are told in the same way is no matter of the file."
    )
    term = GlossaryTerm(
        name="intruder: inference",
        meaning="Someone who takes the likeliest sensitive value of the records that agree with a "
        "person's keys: right more often for those in the file than for others.",
        see="[Inference](methods/intruder-inference.md)",
        sdcmicro="–",
        muargus="–",
    )
    unit = "records"
    rules = ("inference",)
    by_record = True
    with_persons = False

    def play(self, file: AttackedFile, progress: Progress = silent) -> IntruderResult:
        """Guess each sensitive variable of people in the file, and of a half by the other."""
        names = file.sensitive()
        if not names:
            return self.skip(Sentence("none-sensitive"))
        keys = file.scenario.keys
        shown, known = (
            np.stack([read(key) for key in keys], axis=1)
            for read in (file.shown, file.unsuppressed)
        )
        weight = file.weights()
        weight = np.ones(len(shown)) if weight is None else weight
        learnt = {name: file.attribute(name) for name in names}
        columns = [*known.T, *shown.T, *(codes for both in learnt.values() for codes in both)]
        columns.append(np.unique(weight, return_inverse=True)[1])
        half, drawn = part_records(file.households(), columns, 2)
        found = []
        for done, (name, (value, truth)) in enumerate(learnt.items()):
            progress("guessing sensitive values", done / len(learnt))
            released = ReleasedValues(keys=shown[drawn], value=value[drawn], weight=weight[drawn])
            found.append(_measure(name, released, known[drawn], truth[drawn], half[drawn]))
        counted = [each for each in found if each.targets]
        if not counted:
            return self.skip(Sentence("sensitive-missing", names=list(names)))
        worst = max(counted, key=lambda each: each.advantage)
        return IntruderResult(
            unit=self.unit,
            units=len(shown),
            expected=max(worst.inside - worst.control, 0.0) * worst.targets / float(drawn.mean()),
            figures={"inference": worst.advantage},
            found={key: x for each in counted for key, x in each.figures.items()},
            notices=tuple(each.notice for each in counted),
            share=float(drawn.mean()),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Inferred:
    """How often a variable is guessed right, of people in the file and of others."""

    name: str
    targets: int
    inside: float
    control: float
    values: int
    distance: float

    @property
    def advantage(self) -> float:
        """What the file adds, of what people outside are not guessed; 0 if all of these are."""
        return (self.inside - self.control) / (1 - self.control) if self.control < 1 else 0.0

    @property
    def figures(self) -> dict[str, float]:
        """Figures by name."""
        return {
            f"{self.name}: in the file": self.inside,
            f"{self.name}: others": self.control,
            f"{self.name}: advantage": self.advantage,
        }

    @property
    def notice(self) -> Notice:
        """Say so, with the worst class of those that look alike."""
        return make_notice(
            "inferred",
            variable=self.name,
            inside=self.inside,
            control=self.control,
            advantage=self.advantage,
            values=self.values,
            distance=self.distance,
        )


def _measure(
    name: str, released: ReleasedValues, known: NDArray[np.intp], truth: Index, half: Index
) -> _Inferred:
    """Guess one variable."""
    there = np.flatnonzero(truth)
    inside = released.guess(known[there]) == truth[there]
    others = np.zeros(len(truth), np.bool_)
    for part in (0, 1):
        taught, asked = half == part, np.flatnonzero((half != part) & (truth > 0))
        apart = ReleasedValues(
            keys=released.keys[taught], value=released.value[taught], weight=released.weight[taught]
        )
        others[asked] = apart.guess(known[asked]) == truth[asked]
    values, distance = _find_worst(released)
    count = len(there)
    return _Inferred(
        name=name,
        targets=count,
        inside=float(inside.mean()) if count else 0.0,
        control=float(others[there].mean()) if count else 0.0,
        values=values,
        distance=distance,
    )


def _find_worst(released: ReleasedValues) -> tuple[int, float]:
    """Return the fewest values (l), and the largest distance (t), of records that look alike."""
    there = released.value > 0
    keys, value = released.keys[there], released.value[there]
    if not len(value):
        return 0, 0.0
    alike, _ = number(list(keys.T), keys.max(axis=0).tolist(), rows=len(keys))
    both, first = number([alike, value], [int(alike.max()), int(value.max())], rows=len(keys))
    _, place = np.unique(value, return_inverse=True)
    count: Floats = np.bincount(both).astype(np.float64)
    classes = ClassValues(
        classes=int(alike.max()) + 1,
        of=alike[first],
        value=place[first],
        count=count,
        overall=np.bincount(place).astype(np.float64),
    )
    return int(distinct(classes).min()), float(equal_distance(classes).max())
