"""Verbs are typed by the step: its options, its words, and declared roles where nothing is said."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import microsafe as ms
from microsafe.options.parameter import parameters
from microsafe.steps import STEPS, Step

ROOT = Path(__file__).parents[2]
CALLS = """
import microsafe as ms

def protect(study: ms.Study) -> ms.Study:
    study = study.recode("age", [0, 15, 30]).recode("region", {1: [2, (3, 5)], "north": "9"})
    study = study.suppress(0.1, spare=["age"], cost={"sex": 2}, why="the board says so")
    study = study.suppress(0.1, progress=lambda stage, share: None)
    study = study.noise("income", seed=1).drop(["name", "phone"]).swap(seed=1)
    return study.apply(ms.Round("income", 10))

def misspell(study: ms.Study) -> None:
    study.suppress(abov=0.1)
    study.suppress("a tenth")
    study.recode("age", keep="two")
    study.noise("income")
    ms.Suppress(gaurantee="own")
"""


@pytest.mark.parametrize("kind", STEPS.values(), ids=list(STEPS))
def test_every_kind_has_a_verb_with_its_signature_and_words(kind: type[Step]) -> None:
    verb = getattr(ms.Study, kind.do)
    own, *options, progress = inspect.signature(verb).parameters.values()
    assert (own.name, progress.name) == ("self", "progress")
    made = inspect.signature(kind).parameters
    assert {each.name: each.kind for each in options} == {n: p.kind for n, p in made.items()}
    told = " ".join(verb.__doc__.split())
    for name, each in parameters(kind).items():
        assert f"{name}: {each.label}." in told
    assert getattr(ms, kind.__name__) is kind
    assert f"{name}: {each.label}." in " ".join((kind.__doc__ or "").split())


def test_wrong_names_are_refused_with_the_name_of_the_verb() -> None:
    study = ms.study(ms.survey(1, households=20).frame, keys=["sex"])
    with pytest.raises(ms.UsageError, match=r"no option 'abov'\. Did you mean 'above'"):
        study.suppress(abov=0.1)
    with pytest.raises(ms.UsageError, match="needs seed"):
        study.renumber("household")


def test_none_says_nothing_where_an_option_is_never_none() -> None:
    study = ms.study(
        ms.survey(1, households=60).frame, keys=["sex", "region"], weight="weight", estimator="cell"
    )
    assert study.recode("sex", keep=1, labels=None).steps == study.recode("sex", keep=1).steps


def test_one_name_may_be_given_as_it_is() -> None:
    assert ms.Drop("income") == ms.Drop(variables=("income",)) == ms.Drop(["income"])
    linked = ms.Suppress(0.1, linked={"age": "born"}).linked
    assert linked == {"age": ("born",)}


@pytest.mark.slow
def test_mypy_sees_the_options_of_the_step(tmp_path: Path) -> None:
    snippet = tmp_path / "calls.py"
    snippet.write_text(CALLS)
    arguments = ["--strict", "--no-error-summary", "--follow-imports=silent", str(snippet)]
    found = subprocess.run(
        [sys.executable, "-m", "mypy", *arguments],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    wrong = {int(line) for line in re.findall(r"calls\.py:(\d+): error", found.stdout)}
    first = CALLS.splitlines().index("def misspell(study: ms.Study) -> None:") + 2
    assert wrong == set(range(first, first + 5)), found.stdout + found.stderr
