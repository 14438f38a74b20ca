"""Small parts of file risk: chains, cliques, margins, roots, and figures in words."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.risk.file.advice import _disagreement_notice
from microsafe.risk.file.chains import effective_draws
from microsafe.risk.file.estimate import _describe_bias, _number, _people
from microsafe.risk.file.model_estimates import ModelEstimate
from microsafe.risk.file.superpopulation import _bisect, _roots
from microsafe.risk.table.cliques import cliques_of
from microsafe.risk.table.crosstable import distance
from microsafe.risk.table.tau import Bias, _bias


def geyer(trace: np.ndarray) -> float:
    """The same by the letter, one lag after another."""
    chains, draws = trace.shape
    means = trace.mean(axis=1)
    own = [trace[c] - means[c] for c in range(chains)]
    covariance = [
        sum(float(x[: draws - lag] @ x[lag:]) for x in own) / chains / draws for lag in range(draws)
    ]
    within = covariance[0] * draws / (draws - 1)
    between = float(np.var(means, ddof=1)) if chains > 1 else 0.0
    variance = covariance[0] + between
    correlation = [1.0] + [1 - (within - each) / variance for each in covariance[1:]]
    total, last = 0.0, math.inf
    for lag in range(0, draws - 1, 2):
        pair = correlation[lag] + correlation[lag + 1]
        if pair < 0:
            break
        last = min(last, pair)
        total += last
    return min(trace.size, trace.size / max(2 * total - 1, 1e-9))


@pytest.mark.parametrize("chains", [1, 3])
@pytest.mark.parametrize("memory", [0.0, 0.5, 0.9])
def test_effective_draws(chains: int, memory: float) -> None:
    rng = np.random.default_rng(1)
    trace = rng.standard_normal((chains, 400))
    for at in range(1, 400):
        trace[:, at] += memory * trace[:, at - 1]
    assert effective_draws(trace) == pytest.approx(geyer(trace), rel=1e-9)
    assert effective_draws(np.ones((chains, 8))) == 8 * chains


@given(st.lists(st.sets(st.integers(0, 5), min_size=1, max_size=3), min_size=1, max_size=6))
def test_cliques_cover_the_terms_and_none_holds_another(terms: list[set[int]]) -> None:
    found = [set(each.keys) for each in cliques_of([2, 3, 4, 5, 6, 7], map(tuple, terms))]
    assert all(any(term <= each for each in found) for term in terms)
    assert not any(a <= b for a, b in combinations(found, 2))
    assert set().union(*found) == set(range(6))


def test_distance_of_a_margin() -> None:
    change, target = np.array([1.5, 0.9, 7.0]), np.array([0.5, 3.0, 0.0])
    assert distance(change, target) == 0.5


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_roots_lie_where_the_sign_changes(sign: float) -> None:
    grid = np.linspace(0.0, 4.0, 9)
    found = _roots(lambda x: sign * 0.1 * (x - 0.7) * (x - 2.2) * (x - 3.9), grid)
    assert found == pytest.approx([0.7, 2.2, 3.9], abs=1e-12)
    assert _bisect(lambda x: 2.0 - x * x, 0.0, 2.0) == pytest.approx(math.sqrt(2), rel=1e-15)


def test_figures_in_words() -> None:
    assert _people(0.0) == "0"
    assert _people(0.0004) == "below 0.001"
    assert _people(12345.6) == "12,350"
    ranges = ((1.0, 20.0), (300.0, 4000.0))
    assert _number(5.0, ranges, 0) == "5 (from 1 to 20)"
    assert _number(500.0, ranges, 1) == "500 (from 300 to 4,000)"
    assert _number(500.0, None, 1) == "500"
    assert _number(None, None, 1) == "no estimate"
    assert (
        _describe_bias(Bias(value=1.5, variance=0.25, scatter=0.0)) == "1.5 (3.00 standard errors)"
    )
    assert _describe_bias(Bias(value=1.5, variance=0.0, scatter=0.0)) == "1.5"


def test_opinions_without_figures_do_not_disagree() -> None:
    some = ModelEstimate(model="loglinear", tau1=50.0, tau2=90.0, remark="")
    none = ModelEstimate(model="pitman", tau1=None, tau2=None, remark="")
    few = ModelEstimate(model="pitman", tau1=5.0, tau2=None, remark="")
    assert not list(_disagreement_notice(some, none))
    assert not list(_disagreement_notice(none, some))
    assert len(list(_disagreement_notice(some, few))) == 1


def test_one_cell_has_no_scatter() -> None:
    assert _bias(2.0, 1.0, 4.0, cells=1).scatter == 0.0
    assert _bias(2.0, 1.0, 4.0, cells=2).scatter == 4.0


@pytest.fixture(scope="module")
def found() -> ms.FileRisk:
    frame = ms.survey(1, households=400).frame
    return ms.study(frame, keys=["region", "sex", "age"], weight="weight").file_risk(
        opinions=("dankar", "pitman")
    )


def test_both_taus_have_their_own_range(found: ms.FileRisk) -> None:
    assert found.interval is not None
    assert found.interval[0] != found.interval[1]
    lines = {line.split("  ")[1]: line for line in repr(found).splitlines()[1:]}
    assert found.tau1 is not None
    for name, value, place in (
        ("population uniques among them (tau1)", found.tau1, 0),
        ("expected correct matches (tau2)", found.tau2, 1),
    ):
        assert lines[name].endswith(_number(value, found.interval, place))


def test_a_margin_cannot_be_changed(found: ms.FileRisk) -> None:
    with pytest.raises(ValueError, match="read-only"):
        found.table.margin((0,))[0] = 1.0


def test_only_dankar_names_another(found: ms.FileRisk) -> None:
    remarks = {each.model: each.remark for each in found.opinions}
    assert "Dankar" in remarks["dankar"]
    assert "Dankar" not in remarks["pitman"]


def test_the_picture_shows_how_the_fit_went(found: ms.FileRisk) -> None:
    figure = found.plot()
    assert len(figure.axes) == 2
    assert all(axes.has_data() for axes in figure.axes)
