"""Figures that hold wherever the tests run, on input that fits this page.

Counts and weights of the reference files of other programs are enough for many of their figures;
the files themselves are compared record by record where they are at hand (the other modules here).
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.risk import hazard, household_risk

# Records of sdcMicro's `testdata` by urbrur, roof, walls, water, electcon, relat and sex: how many
# cells there are of each size. Every weight is 100.
TESTDATA = {
    1: 157, 2: 62, 3: 31, 4: 21, 5: 12, 6: 13, 7: 9, 8: 8, 9: 2, 10: 6, 11: 5, 12: 4, 13: 4, 14: 1,
    15: 2, 16: 3, 17: 6, 18: 2, 19: 3, 20: 1, 21: 2, 22: 2, 23: 5, 25: 2, 26: 2, 27: 1, 28: 2,
    30: 2, 31: 2, 33: 5, 34: 2, 35: 3, 43: 1, 44: 1, 45: 3, 46: 1, 51: 1, 52: 1, 54: 1, 56: 1,
    63: 2, 66: 1, 67: 1, 70: 1, 75: 2, 76: 1, 93: 1, 94: 1, 102: 1, 104: 1, 105: 1, 107: 1,
    122: 2, 126: 1, 134: 1, 150: 1, 176: 1,
}  # fmt: skip

# Of SDCNway's example data: CENREG, DAGE3 and EDUC3, records, sum of weights.
PRISON = [
    ("111", 11, 7300.306), ("112", 4, 2691.6221), ("113", 1, 454.7484), ("121", 6, 4470.1984),
    ("122", 3, 2654.182), ("123", 3, 1856.7787), ("131", 1, 613.1355), ("211", 8, 4944.2276),
    ("212", 8, 4916.0423), ("213", 5, 2305.6527), ("221", 6, 4066.6696), ("222", 7, 5073.9583),
    ("223", 9, 5256.6098), ("233", 1, 525.7367), ("311", 18, 11479.9587), ("312", 9, 6391.5415),
    ("313", 5, 2551.5442), ("321", 15, 12049.8348), ("322", 10, 7973.202), ("323", 8, 4158.0424),
    ("331", 3, 2149.5528), ("411", 10, 6524.8648), ("412", 5, 3650.131), ("413", 3, 1734.5238),
    ("421", 8, 6441.7401), ("422", 6, 4896.3575), ("423", 7, 4147.7509), ("431", 1, 1053.7964),
    ("432", 1, 772.5935),
]  # fmt: skip


@pytest.fixture(scope="module")
def testdata() -> ms.Study:
    cells = [size for size, count in TESTDATA.items() for _ in range(count)]
    names = [str(cell) for cell, size in enumerate(cells) for _ in range(size)]
    return ms.study(
        pl.DataFrame({"cell": names, "w": 100.0}), keys=["cell"], weight="w", estimator="cell"
    )


def test_expected_re_identifications_of_testdata(testdata: ms.Study) -> None:
    risk = testdata.risk(limit=0.01)
    assert (risk.n, risk.n_cells, risk.sample_uniques) == (4580, 412, 157)
    assert risk.expected == pytest.approx(10.775525136, abs=5e-10)
    assert risk.limit is not None
    assert risk.limit.unsafe == 157
    # sdcMicro prints 10.778298919: closed forms up to f = 2 and p/(f - q) beyond.
    theirs = testdata.risk(approximation="sdcmicro").expected
    assert theirs == pytest.approx(10.778298919, abs=5e-10)


def test_blanks_beyond_which_nobody_needs_more_in_testdata(testdata: ms.Study) -> None:
    """A single key: who is unsafe loses it, 157 + 2 x 62 records at k = 3."""
    assert testdata.suppress(k=2).steps[-1].total == 157
    assert testdata.suppress(k=3).steps[-1].total == 157 + 2 * 62
    assert testdata.suppress(above=0.01).steps[-1].total == 157


@pytest.mark.parametrize(
    ("f", "F", "muargus", "exact"),
    [
        (1, 1.5, 0.810930216216329, 0.8109302162163288),
        (1, 100.0, 0.0465168705655363, 0.04651687056553628),
        (2, 2.0002, 0.499966669166408, 0.4999666691664667),
        (2, 4.0, 0.306852819440055, 0.3068528194400547),
        (2, 505.2, 0.00388717601294614, 0.003887176012946137),
        (3, 9.0, 0.137326536083514, 0.13732653608351372),
        (3, 1500.0, 0.000998037976250881, 0.0009980379762508814),
        (3, 3.000001, 0.333042988904136, 0.33333325000002223),  # it loses four digits
        (4, 4.04, 0.248016525048512, 0.2480165250485118),
        (4, 20.0, 0.0613815553477633, 0.06142146648788763),
        (4, 4000.0, 0.000331171830211494, 0.000333166994902219),
        (5, 50.0, 0.0242178771655844, 0.024235001187031008),
        (5, 50000.0, 2.49487172212086e-05, 2.499916674997507e-05),
        (10, 200.0, 0.00552117378977811, 0.005521317431996357),
        (10, 1e6, 1.11106402046862e-06, 1.1111097222261906e-06),
        (40, 2000.0, 0.000512550897211111, 0.0005125508985920069),
        (100, 150.0, 0.00668881408647335, 0.00668881408647335),
        (100, 1e4, 0.000100999795981173, 0.00010099979598145909),
    ],
)
def test_base_individual_risk_of_muargus(f: int, F: float, muargus: float, exact: float) -> None:
    assert float(ms.individual_risk(f, F)) == pytest.approx(exact, rel=2e-15)
    if f >= 4:
        eight = float(ms.individual_risk(f, F, approximation="series8"))
        assert eight == pytest.approx(muargus, rel=1e-13)
    elif F - f > 1e-3:
        assert float(ms.individual_risk(f, F)) == pytest.approx(muargus, rel=1e-12)


def test_household_74_of_muargus() -> None:
    """Samhh, keys province, MarStat, sex and age; its third member has f = 4."""
    f, F = np.array([2.0, 1.0, 4.0]), np.array([44.44, 22.22, 55.55])
    exact = ms.individual_risk(f, F)
    np.testing.assert_allclose(exact[:2], [0.040238671962, 0.146135380971], atol=5e-13)
    eight = ms.individual_risk(f, F, approximation="series8")
    theirs = np.array([*exact[:2], eight[2]])
    assert theirs[2] == pytest.approx(0.023163578416, abs=5e-13)
    found = household_risk(np.array([hazard(theirs).sum()]))[0]
    assert found == pytest.approx(0.199476456345, abs=5e-13)
    assert household_risk(np.array([hazard(exact).sum()]))[0] > found


W = [18.0, 45.5, 39.0, 17.0, 541.0, 8.0, 5.0, 92.0]
COMPLETE = ["1251", "1211", "1211", "3315", "4314", "4311", "6215", "1251"]
MISSING = ["1251", "1211", "12.1", "..15", "431.", ".311", "6215", "1251"]


def francdat(rows: list[str], **options: float) -> ms.Risk:
    """The worked example of the strategy paper, which sdcMicro has as `francdat`."""
    frame = pl.DataFrame(
        {f"k{j}": [None if row[j] == "." else row[j] for row in rows] for j in range(4)} | {"w": W}
    )
    return ms.study(frame, keys=frame.columns[:4], weight="w", estimator="cell", **options).risk()  # type: ignore[arg-type]


def test_francdat() -> None:
    risk = francdat(COMPLETE)
    wanted = [
        0.017144261596285161, 0.022042326183256165, 0.022042326183256165, 0.17707583400351351,
        0.011654480146012003, 0.29706307738283366, 0.40235947810852507, 0.017144261596285161,
    ]  # fmt: skip
    np.testing.assert_allclose(risk.records()["risk"], wanted, rtol=1e-14)
    assert risk.expected == pytest.approx(0.966526045, abs=5e-10)


def test_francdat_with_gaps() -> None:
    whole, none, half = (francdat(MISSING, alpha=alpha).records() for alpha in (1.0, 0.0, 0.5))
    assert whole["f"].to_list() == [3, 2, 4, 3, 3, 2, 2, 3]
    assert whole["F"].to_list() == [149, 84.5, 194.5, 563, 566, 549, 22, 149]
    assert none["f"].to_list() == [2, 1, 4, 2, 1, 1, 1, 2]
    assert none["F"].to_list() == [110, 45.5, 194.5, 22, 541, 8, 5, 110]
    # sdcMicro's factor scales pairs of incomplete records too, hence its 2 for the fifth.
    assert half["f"].to_list() == [2.5, 1.5, 4.0, 2.5, 2.0, 1.5, 1.5, 2.5]
    assert half["F"].to_list() == [129.5, 65.0, 194.5, 292.5, 553.5, 278.5, 13.5, 129.5]
    complete = whole["risk"].to_numpy()[[1, 5, 6]]  # closed forms in sdcMicro too
    wanted = [0.022042326183256165, 0.003581243194409933, 0.076021047272016293]
    np.testing.assert_allclose(complete, wanted, rtol=1e-13)
    assert half["risk"].min() > 0  # type: ignore[operator]  # sdcMicro gives 0 where 1 < f < 2


@pytest.mark.parametrize(
    ("degree", "file", "cell"),
    [
        (1, (0.01205195100757844, -1.668300781096185, -0.5359060125543921),
            (0.01205341623194412, -1.731221137545244, -0.5353623644770401)),
        (2, (0.01677428469418502, -1.417689994205662, -0.2593079264136334),
            (0.01677840012104146, -1.439139048419805, -0.2537810837804673)),
    ],
)  # fmt: skip
def test_log_linear_models_of_sdcnway(
    degree: int, file: tuple[float, ...], cell: tuple[float, ...]
) -> None:
    rows = [(*keys, w / n) for keys, n, w in PRISON for _ in range(n)]
    frame = pl.DataFrame(rows, schema=["CENREG", "DAGE3", "EDUC3", "w"], orient="row")
    study = ms.study(frame, keys=["CENREG", "DAGE3", "EDUC3"], weight="w", estimator="cell")
    fit = study.file_risk(interactions=degree, opinions=()).summary()["fit"]
    for found, wanted in ((fit["file"], file), (fit["cell"], cell)):
        mine = [found[name] for name in ("tau2", "B_tau2_type1", "B_tau2_type2")]
        np.testing.assert_allclose(mine, wanted, rtol=1e-9 if degree == 1 else 1e-5)


@pytest.fixture(scope="module")
def survey() -> ms.Study:
    return ms.study(
        ms.survey(1).frame,
        keys=["region", "sex", "age", "marital"],
        weight="weight",
        estimator="cell",
        household="household",
    )


def test_risk_of_the_survey(survey: ms.Study) -> None:
    risk = survey.risk(limit=0.01)
    assert (risk.n, risk.n_cells, risk.sample_uniques) == (5892, 2830, 1409)
    assert risk.max == pytest.approx(0.1435665539768327, rel=1e-13)
    assert risk.expected == pytest.approx(54.349643751409154, rel=1e-13)
    assert risk.limit is not None
    assert risk.limit.unsafe == 1639
    assert risk.limit.expected_bound == pytest.approx(25.46399928918508, rel=1e-13)
    assert risk.household is not None
    assert risk.household.expected == pytest.approx(143.55266327475385, rel=1e-13)
    assert risk.household.expected_households == pytest.approx(53.68555719583669, rel=1e-13)
    assert risk.household.max == pytest.approx(0.2224684817790057, rel=1e-13)
    assert risk.household.unsafe(0.05) == 259
    fewer = {each.key: each.without for each in risk.contributions()}
    wanted = {"age": 1.0355478949691164, "region": 5.301134803050759,
              "marital": 25.774181782728785, "sex": 32.54221139954752}  # fmt: skip
    assert fewer == pytest.approx(wanted, rel=1e-13)


@pytest.mark.parametrize(
    ("wish", "limit", "unsafe", "bound"),
    [
        ({"rate": 0.002}, 0.0029713022532145386, 2673, 11.752624568436735),
        ({"expected": 5.0}, 0.0009391642946660521, 4378, 4.982575694411539),
        ({"unsafe": 100}, 0.08005769172130345, 100, 52.29979699866697),
    ],
)
def test_limits_of_the_survey(
    survey: ms.Study, wish: dict[str, float], limit: float, unsafe: int, bound: float
) -> None:
    found = survey.risk().choose(**wish)  # type: ignore[arg-type]
    assert found.limit == pytest.approx(limit, rel=1e-13)
    assert found.unsafe == unsafe
    assert found.expected_bound == pytest.approx(bound, rel=1e-13)


def test_combinations_and_blanks_of_the_survey(survey: ms.Study) -> None:
    found = survey.combinations(above=0.01)
    assert found.by_size == {2: 227, 3: 1009, 4: 362}
    assert found.by_key == {"region": 1497, "sex": 792, "age": 1587, "marital": 1053}
    assert found.unsafe_records == 1639
    done = survey.suppress(above=0.01, together=False).steps[-1]
    assert done.blanks == {"region": 1537, "sex": 4, "age": 96, "marital": 4}
    assert done.records == 1639
    uniques = survey.uniques()
    assert uniques.by_size == {2: 198, 3: 995, 4: 380}
    assert uniques.records()["score"].sum() == 1771


def test_risk_of_the_survey_as_a_whole(survey: ms.Study) -> None:
    found = survey.file_risk(interactions=1, opinions=["pitman", "zayatz"])
    assert found.cells == 11880
    assert found.correct_match == pytest.approx(0.0034095944033233896, rel=1e-12)
    cell = found.summary()["fit"]["cell"]
    figures = [cell[name] for name in ("tau1", "tau2", "B_tau1_type2", "B_tau2_type2")]
    wanted = [14.022193013242992, 51.95128195690506, 8.23292982023999, 9.061887248681334]
    np.testing.assert_allclose(figures, wanted, rtol=1e-7)
    opinions = {each.model: each.tau1 for each in found.opinions}
    assert opinions == pytest.approx({"pitman": 6.658049095113101, "zayatz": 339.3136774365743})
