"""The risk of the file as a study gives it."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from microsafe import study, survey
from microsafe.errors import CancelledError, InputError, UsageError
from microsafe.risk.record.individual import individual_risk

KEYS = ["region", "sex", "age"]
MODELS = [
    "loglinear", "latent", "negative-binomial", "benedetti-franconi",
    "pitman", "zayatz", "snb", "dankar",
]  # fmt: skip


def frame(records: int = 400, keys: int = 4, seed: int = 1) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    columns = {f"k{j}": rng.integers(0, 3 + j, records).astype(str) for j in range(keys)}
    return pl.DataFrame({**columns, "w": np.full(records, 20.0)})


EDGES = {
    "no uniques": pl.DataFrame({"a": ["x", "x", "y", "y"], "b": ["p"] * 4, "w": [10.0] * 4}),
    "all uniques": pl.DataFrame({"a": [str(i) for i in range(30)], "b": ["p", "q"] * 15, "w": 9.0}),
    "one key, one category": pl.DataFrame({"a": ["x"] * 9, "b": ["p"] * 9, "w": [10.0] * 9}),
    "one record": pl.DataFrame({"a": ["x"], "b": ["p"], "w": [10.0]}),
    "a census": pl.DataFrame({"a": ["x", "y", "x"], "b": ["p", "p", "q"], "w": [1.0] * 3}),
    "gaps": pl.DataFrame({"a": [None, "x", "y", None] * 5, "b": [None, "q"] * 10, "w": 3.0}),
    "enormous weights": pl.DataFrame({"a": ["x", "y", "x"], "b": ["p", "p", "q"], "w": [1e12] * 3}),
}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", EDGES)
def test_no_model_fails_on_odd_files(name: str, model: str) -> None:
    found = study(EDGES[name], keys=["a", "b"], weight="w").file_risk(model=model)
    told = found.summary()
    json.dumps(told, allow_nan=False)
    assert repr(found)
    assert found.records().height == EDGES[name].height
    found.plot()
    alone = told["sample_uniques"]
    for value in (told["tau1"], told["tau2"]):
        assert value is None or 0 <= value <= alone + 1e-9
    if alone == 0:
        assert told["tau1"] == 0
        assert told["level"] == "very low"
    if name == "a census" and model != "benedetti-franconi":
        assert told["tau1"] == pytest.approx(alone)


def test_fifteen_keys() -> None:
    data = study(frame(500, 15), keys=[f"k{j}" for j in range(15)], weight="w")
    found = data.file_risk()
    assert found.cells > 1e12
    assert found.tau1 == pytest.approx(500, rel=0.01)
    with pytest.raises(UsageError, match="too many"):
        data.file_risk(interactions=2)


def test_figures_agree_with_each_other() -> None:
    found = study(frame(), keys=["k0", "k1", "k2", "k3"], weight="w").file_risk()
    told = found.summary()
    assert told["model"] == "loglinear"
    assert told["cells"] == 3 * 4 * 5 * 6
    assert told["average_cell_size"] == pytest.approx(400 / 360)
    assert told["share_unique"] == pytest.approx(told["tau1"] / told["sample_uniques"])
    assert told["population"] == pytest.approx(8000)
    assert told["fit"]["used"] == "cell"
    records = found.records()
    alone = records["f"].to_numpy() == 1
    assert alone.sum() == told["sample_uniques"]
    assert records["risk_loglinear"].to_numpy()[alone].sum() == pytest.approx(told["tau2"])
    usual = individual_risk(records["f"].to_numpy(), 20.0 * records["f"].to_numpy())
    np.testing.assert_allclose(records["risk_benedetti_franconi"].to_numpy(), usual, rtol=1e-12)
    assert (records["risk_loglinear"] <= 1 / records["f"] + 1e-12).all()


def test_a_fraction_is_as_good_as_equal_weights() -> None:
    keys = ["k0", "k1", "k2", "k3"]
    one = study(frame(), keys=keys, weight="w").file_risk()
    other = study(frame(), keys=keys).file_risk(fraction=1 / 20)
    assert one.tau1 == pytest.approx(other.tau1, rel=1e-9)
    assert one.tau2 == pytest.approx(other.tau2, rel=1e-9)


def test_interactions_by_name_number_and_search() -> None:
    data = study(frame(), keys=["k0", "k1", "k2", "k3"], weight="w")
    named = data.file_risk(interactions=["k1*k0", ("k2", "k3")], opinions=())
    assert named.interactions == ["k0*k1", "k2*k3"]
    assert data.file_risk(interactions=1, opinions=()).interactions == []
    assert len(data.file_risk(interactions=2, opinions=()).interactions) == 6
    assert len(data.file_risk(interactions=3, opinions=()).interactions) == 4
    assert data.file_risk(interactions=9, opinions=()).interactions == ["k0*k1*k2*k3"]


def test_row_order_does_not_matter() -> None:
    data = frame()
    keys = ["k0", "k1", "k2", "k3"]
    one = study(data, keys=keys, weight="w").file_risk().summary()
    other = study(data.sample(fraction=1.0, shuffle=True, seed=3), keys=keys, weight="w")
    assert other.file_risk().summary() == one


def test_bands_are_the_users_to_change() -> None:
    data = study(frame(), keys=["k0", "k1", "k2", "k3"], weight="w")
    share = data.file_risk().share_unique
    assert share is not None
    wide = data.file_risk(bands=(share + 0.01, share + 0.02, share + 0.03))
    assert wide.level == "very low"
    narrow = data.file_risk(bands=(share / 8, share / 4, share / 2))
    assert narrow.level == "high"


def test_opinions_are_asked_and_disagreement_is_told() -> None:
    data = study(frame(300, 6), keys=[f"k{j}" for j in range(6)], weight="w")
    found = data.file_risk(opinions=["benedetti-franconi", "pitman", "loglinear"])
    assert [each.model for each in found.opinions] == ["benedetti-franconi", "pitman"]
    assert any("simple estimate" in notice.text for notice in found.notices)
    assert "by pitman" in repr(found)
    asked = data.file_risk(model="negative-binomial", opinions=["loglinear"])
    assert asked.opinions[0].tau2 == pytest.approx(found.tau2)
    assert asked.interval is None
    assert asked.fit is None


def test_an_overfitted_model_is_pointed_out() -> None:
    found = study(frame(80), keys=["k0", "k1", "k2", "k3"], weight="w").file_risk(interactions=9)
    assert any("too rich" in notice.text for notice in found.notices)


def test_impossible_combinations() -> None:
    data = frame().filter(~((pl.col("k0") == "1") & (pl.col("k1") == "2")))
    keys = ["k0", "k1", "k2", "k3"]
    asked = study(data, keys=keys, weight="w")
    barred = asked.file_risk(impossible=[{"k1": ["2"], "k0": "1"}], interactions=1, opinions=())
    assert barred.cells == 360 - 30
    assert barred.tau2 != pytest.approx(asked.file_risk(interactions=1, opinions=()).tau2)
    twice = asked.file_risk(
        impossible=[{"k1": ["2"], "k0": ["1"]}, {"k0": ["1"], "k1": ["2"]}],
        interactions=1,
        opinions=(),
    )
    assert twice.cells == barred.cells
    with pytest.raises(InputError, match="impossible"):
        study(frame(), keys=keys, weight="w").file_risk(impossible=[{"k0": ["1"], "k1": ["2"]}])
    with pytest.raises(UsageError, match="at least two"):
        asked.file_risk(impossible=[{"k0": ["1"]}])
    with pytest.raises(UsageError, match="no category"):
        asked.file_risk(impossible=[{"k0": ["1"], "k1": ["none of these"]}])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"model": "loglineer"}, "Did you mean 'loglinear'"),
        ({"interactions": 0}, "main effects"),
        ({"interactions": "all"}, "'auto'"),
        ({"interactions": ["k0*k9"]}, "not a key"),
        ({"bands": (0.1, 0.05, 0.2)}, "ascending"),
        ({"bands": (0.1, 0.2)}, "three ascending shares"),
        ({"fraction": 0.5}, "either a sampling weight"),
        ({"pi": "record"}, "'cell' or 'file'"),
        ({"opinions": ["pittman"]}, "Did you mean 'pitman'"),
    ],
)
def test_wrong_wishes_are_refused(options: dict[str, object], words: str) -> None:
    data = study(frame(), keys=["k0", "k1", "k2", "k3"], weight="w")
    with pytest.raises(UsageError, match=words):
        data.file_risk(**options)  # type: ignore[arg-type]


def test_neither_weight_nor_fraction_is_refused() -> None:
    data = study(frame(), keys=["k0", "k1"])
    with pytest.raises(UsageError, match="either a sampling weight"):
        data.file_risk()
    with pytest.raises(UsageError, match="above 0"):
        data.file_risk(fraction=2.0)


def test_progress_cancels() -> None:
    seen: list[str] = []

    def stop(stage: str, fraction: float) -> None:
        seen.append(stage)
        if stage.startswith("searching"):
            raise CancelledError("stop")

    data = study(survey(2000).frame, keys=KEYS, weight="weight")
    with pytest.raises(CancelledError):
        data.file_risk(progress=stop)
    assert seen[-1].startswith("searching")


def test_names_are_escaped_in_notebooks() -> None:
    data = frame().rename({"k0": "<b>k0</b>"})
    found = study(data, keys=["<b>k0</b>", "k1"], weight="w").file_risk()
    assert "<b>k0" not in found._repr_html_()
