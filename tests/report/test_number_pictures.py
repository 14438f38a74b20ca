"""Pictures of numbers in the reports: all for the board, released values for the public."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

import microsafe as ms
from microsafe.compare.comparison import Comparison
from microsafe.compare.cost_figures import Utility
from microsafe.report import Audience, Content, report_html


@cache
def comparison() -> Comparison:
    study = ms.study(
        ms.survey(1, households=300).frame,
        keys=["region", "sex"],
        weight="weight",
        estimator="cell",
    )
    moved = study.noise("income", variance=0.1, seed=4).rank_swap("education", seed=2)
    return moved.noise("hsize", kind="additive", variance=0.1, seed=5).compare()


def utility() -> Utility:
    found = comparison().utility
    assert found is not None
    return found


def report(audience: Audience, found: Utility) -> str:
    made = Content(source="survey.sav", comparison=replace(comparison(), utility=found))
    return report_html(made, audience=audience)


def figures(page: str) -> list[str]:
    return re.findall(r"<figure.*?</figure>", page, re.DOTALL)


def test_the_board_sees_every_number_before_and_after_and_correlations() -> None:
    found = figures(report("board", utility()))
    names = [each.name for each in utility().pictures]
    assert sorted(names) == ["education", "hsize", "income"]
    assert len(found) == len(names) + 1
    for name, figure in zip(names, found, strict=False):
        assert f"{name} before</text>" in figure
        assert "weight, %</text>" in figure
    assert "after minus before</text>" in found[-1]
    assert "Weighted correlations before, after, and their difference." in found[-1]
    identities = re.findall(r'\bid="([^"]*)"', "".join(found))
    assert len(identities) == len(set(identities))


def test_the_public_sees_nothing_that_released_values_do_not_tell() -> None:
    """The same released values give the same pictures, whatever they were before."""
    found = figures(report("public", utility()))
    assert len(found) == len(utility().pictures)
    assert not any("before" in figure for figure in found)
    others = tuple(
        replace(each, before=each.after, joint=utility().pictures[0].joint)
        for each in utility().pictures
    )
    assert figures(report("public", replace(utility(), pictures=others))) == found


@pytest.mark.parametrize("audience", ["board", "public"])
def test_the_same_figures_give_the_same_page(audience: Audience) -> None:
    assert report(audience, utility()) == report(audience, utility())


@pytest.mark.slow
def test_what_is_not_drawn_is_counted() -> None:
    many = tuple(utility().pictures[:1] * 12)
    numbers = tuple(utility().numbers[:1] * 14)
    page = report("board", replace(utility(), pictures=many, numbers=numbers))
    assert "2 further variables are not drawn." in page
