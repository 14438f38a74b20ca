"""The registry of intruders: every part has words, and one that lacks a part is refused."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np
import pytest

from attacked import ArraysUnderAttack
from microsafe.intruders import (
    INTRUDERS,
    NOT_PLAYED,
    Intruder,
    IntruderResult,
    KeysIntruder,
    play_intruder,
    register_intruders,
)
from microsafe.intruders.base import AttackedFile
from microsafe.intruders.glossary import with_section
from microsafe.options.parameter import parameters
from microsafe.options.policy import Policy
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.steps.base import GlossaryTerm
from microsafe.steps.glossary import TARGET

every = pytest.mark.parametrize("kind", INTRUDERS.values(), ids=INTRUDERS.keys())
TERM = GlossaryTerm(name="toy", meaning="A toy.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Toy(Intruder):
    """Finds everybody."""

    name = "toy"
    title = "Toy"
    brief = "Knows nothing"
    knows = "Someone who knows everything."
    assumes = "Nothing."
    term = TERM
    unit = "records"

    def play(self, file: AttackedFile, progress: Progress = silent) -> IntruderResult:
        chance = np.ones(len(file.record_risk()))
        return IntruderResult(unit=self.unit, expected=1.0, chances=chance, figures={"toy": 1.0})


def attacked(**options: object) -> ArraysUnderAttack:
    columns = {"a": np.array([1, 1, 2]), "b": np.array([1, 1, 1])}
    return ArraysUnderAttack(scenario=Scenario(keys=("a", "b")), columns=columns, **options)  # type: ignore[arg-type]


@every
def test_every_part_has_words(kind: type[Intruder]) -> None:
    assert INTRUDERS[kind.name] is kind
    for text in (kind.knows, kind.assumes, kind.term.meaning):
        assert text.endswith(".")
        assert text[0].isupper()
    assert set(parameters(kind)) == {field.name for field in fields(kind)}  # type: ignore[arg-type]
    assert kind()  # an intruder can be played without saying anything of him


def test_names_of_those_not_played_are_their_own() -> None:
    names = [*INTRUDERS, *(each.name for each in NOT_PLAYED)]
    assert len(set(names)) == len(names)
    assert all(each.reason.endswith(".") for each in NOT_PLAYED)


@every
def test_rules_are_those_of_the_policy(kind: type[Intruder]) -> None:
    known = {field.name for field in fields(Policy)}
    own = {"inference", "method", "numbers", "rejoin", "telling"}
    assert kind.rules
    assert set(kind.rules) <= known | own


def test_the_glossary_is_that_of_the_kinds() -> None:
    page = TARGET.read_text("utf-8")
    assert page == with_section(page), "Run 'python -m microsafe.intruders.glossary'."


def test_an_intruder_that_lacks_a_part_is_refused() -> None:
    with pytest.raises(
        TypeError, match="Half lacks title, brief, knows, assumes, term, unit, play"
    ):

        class Half(Intruder):
            """Knows nothing."""

            name = "half"


def test_an_intruder_that_is_no_dataclass_is_refused() -> None:
    class Plain(Intruder):
        """Knows nothing."""

        name = "plain"
        title = brief = knows = assumes = "Nothing."
        term = TERM
        unit = "records"

        def play(self, file: AttackedFile, progress: Progress = silent) -> IntruderResult:
            return self.skip("No reason.")

    with pytest.raises(TypeError, match="dataclass"):
        register_intruders([Plain])


def test_two_intruders_of_one_name_are_refused() -> None:
    with pytest.raises(TypeError, match="Two intruders are called 'keys'"):
        register_intruders([KeysIntruder, KeysIntruder])


def test_a_field_without_words_is_refused() -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Dumb(Toy):
        """Has a field that nobody can say."""

        share: float = 0.5

    with pytest.raises(TypeError, match="Dumb lacks words for 'share'"):
        register_intruders([Dumb])


def test_one_without_rules_is_judged_under_his_name() -> None:
    assert register_intruders([Toy]) == {"toy": Toy}
    assert Toy.judged_by() == ("toy",)
    assert Toy.find_limit({"toy": 0.1}) == 0.1
    result = play_intruder(Toy(), attacked())
    assert not result.meets("toy", 0.1)
    assert result.meets("toy", 1.0)


def test_k_limits_the_chance_to_one_over_it() -> None:
    kind = INTRUDERS["participant"]
    assert kind.find_limit({"k": 4.0}) == 0.25
    assert kind.find_limit({}) is None
    result = play_intruder(kind(), attacked(limits={"k": 2.0}))
    assert result.figures == {"k": 1.0}
    assert result.above == 1
    assert result.meets("k", 1.0)
    assert not result.meets("k", 2.0)


def test_who_cannot_be_played_says_why() -> None:
    class OnlyPlain(Toy):
        """Cannot go on where values were perturbed or people counted."""

        name = "only"
        when_perturbed: ClassVar[bool] = False
        with_population: ClassVar[bool] = False

    skipped = play_intruder(OnlyPlain(), attacked(perturbed=("a", "z")))
    assert skipped.not_tried == "a was perturbed."
    assert skipped.expected is None
    assert play_intruder(OnlyPlain(), attacked(perturbed=("a", "b"))).not_tried == (
        "a, b were perturbed."
    )
    assert "counted" in play_intruder(OnlyPlain(), attacked(known_population=True)).not_tried
    assert not play_intruder(OnlyPlain(), attacked(perturbed=("z",))).not_tried
