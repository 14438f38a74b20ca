"""Expected matches after suppression: what blanks hide is counted, natural gaps are estimated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.cells import Cells
from microsafe.options.suppression import Guarantee
from microsafe.risk.record import wildcard
from microsafe.sums import Exact
from oracle import Record, compatible, shows_all_of

GUARANTEES = ("own", "strict", "shared")


def restrict(record: Record, keys: Sequence[int]) -> Record:
    return [value if j in keys else None for j, value in enumerate(record)]


def hidden_frequencies(
    released: Sequence[Record],
    original: Sequence[Record],
    weights: Sequence[float],
    people: Callable[[Record], float] | None = None,
) -> list[tuple[float, float]]:
    """f and F of every released record by comparing it with every original one.

    A record counts if it had what the released one shows. Where the original does not tell, it
    counts by the share of the people who agree: by a model, or of those who have all keys that
    are shown.
    """
    found = []
    for mine in released:
        shown = [j for j, value in enumerate(mine) if value is not None]
        f = F = 0.0
        for other, weight in zip(original, weights, strict=True):
            if not compatible(mine, other):
                continue
            chance = 1.0
            if not shows_all_of(mine, other):
                common = restrict(mine, [j for j in shown if other[j] is not None])
                if people is not None:
                    chance = people(mine) / people(common)
                    f, F = f + chance, F + chance * weight
                    continue
                whole = [
                    (each, w)
                    for each, w in zip(original, weights, strict=True)
                    if shows_all_of(mine, each)
                ]
                agree = sum(w for each, w in whole if compatible(mine, each))
                chance = agree / sum(w for each, w in whole if compatible(common, each))
            f, F = f + chance, F + chance * weight
        found.append((f, F))
    return found


def simulated(seed: int, *, gaps: float, records: int = 150) -> pl.DataFrame:
    """Keys that go together, with values missing here and there."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 3, records)
    columns: dict[str, Any] = {}
    for name, size in (("a", 3), ("b", 6), ("c", 4), ("d", 2)):
        own = rng.geometric(0.4, records) % size
        value = np.where(rng.random(records) < 0.5, kind % size, own)
        gone = rng.random(records) < gaps
        pairs = zip(value.tolist(), gone, strict=True)
        columns[name] = [None if g else f"{name}{v}" for v, g in pairs]
    return pl.DataFrame(columns | {"w": rng.uniform(1, 30, records).round(2)})


def weigh(study: ms.Study, **changes: Any) -> ms.Study:
    keys = study.scenario().keys
    return study.with_scenario("weighed", keys=keys, missing="expected", **changes)


def people_by_model(study: ms.Study) -> Callable[[Record], float] | None:
    """People that the model of the file without blanks expects to have what a record shows."""
    reference = study._reference(study.scenario("weighed"))
    model = None if reference is None else reference.gap_model
    if model is None:
        return None

    def count(record: Record) -> float:
        codes = [
            np.array([0 if value is None else list(texts).index(value) + 1], np.uint32)
            for value, texts in zip(record, model.categories, strict=True)
        ]
        shown = sum(1 << j for j, value in enumerate(record) if value is not None)
        return float(model.means(codes, shown)[0])

    return count


def figures(study: ms.Study) -> list[tuple[float, float]]:
    return study.risk("weighed").records().select("f", "F").rows()  # type: ignore[no-any-return]


@pytest.mark.parametrize("guarantee", GUARANTEES)
@pytest.mark.parametrize("gaps", [0.0, 0.1])
@pytest.mark.parametrize("attack", ["all", "weight"])
def test_all_pairs(guarantee: Guarantee, gaps: float, attack: str) -> None:
    frame = simulated(3, gaps=gaps)
    keys = frame.columns[:-1]
    study = ms.study(frame, keys=keys, weight="w", estimator="cell")
    done = weigh(study.suppress(k=3, guarantee=guarantee), attack=attack)
    released = done.engine.table().select(keys)  # type: ignore[attr-defined]
    assert released.null_count().sum_horizontal()[0] > frame.null_count().sum_horizontal()[0]
    people = people_by_model(done)
    assert (people is None) == (gaps == 0.0)
    expected = hidden_frequencies(
        released.rows(), frame.select(keys).rows(), frame["w"].to_list(), people
    )
    np.testing.assert_allclose(figures(done), expected, rtol=1e-12)


@pytest.mark.slow
@given(
    st.integers(0, 10**6), st.sampled_from(GUARANTEES), st.booleans(), st.sampled_from([0.0, 0.2])
)
def test_any_file(seed: int, guarantee: Guarantee, recoded: bool, gaps: float) -> None:
    """Recodes after suppression are taken on what is hidden, too."""
    frame = simulated(seed, gaps=gaps, records=25)
    keys = frame.columns[:-1]
    study = ms.study(frame, keys=keys, weight="w", estimator="cell")
    codes = sorted(frame["b"].drop_nulls().unique())
    groups = {codes[0]: codes[:2]}
    done = study.suppress(k=2, guarantee=guarantee)
    if recoded:
        done, study = (each.recode("b", groups=groups, other="rest") for each in (done, study))
    before, after = (each.engine.table().select(keys).rows() for each in (study, done))  # type: ignore[attr-defined]
    if done.steps[0].total == 0:
        return
    done = weigh(done)
    expected = hidden_frequencies(after, before, frame["w"].to_list(), people_by_model(done))
    np.testing.assert_allclose(figures(done), expected, rtol=1e-12)


@pytest.mark.parametrize("pairs", [False, True])
def test_natural_gaps_are_weighed_by_the_model(
    pairs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both ways of counting; nothing was suppressed."""
    if pairs:
        monkeypatch.setattr(wildcard, "_price_of_masks", lambda _: np.inf)
    frame = simulated(9, gaps=0.15)
    rows = frame.drop("w").rows()
    study = weigh(ms.study(frame, keys=frame.columns[:-1], weight="w"))
    people = people_by_model(study)
    assert people is not None
    expected = hidden_frequencies(rows, rows, frame["w"].to_list(), people)
    np.testing.assert_allclose(figures(study), expected, rtol=1e-12)


def test_codes_too_wide_for_a_word() -> None:
    rng = np.random.default_rng(1)
    keys = [f"k{j}" for j in range(12)]
    frame = pl.DataFrame(
        {key: rng.integers(0, 70, 90) % 3 + 100 * (j % 2) for j, key in enumerate(keys)}
    )
    many = pl.DataFrame({key: np.arange(90) + 1000 for key in keys})
    data = pl.concat([frame, many]).cast(pl.String)
    done = weigh(ms.study(data, keys=keys).suppress(k=2, guarantee="shared"))
    released = done.engine.table().select(keys).rows()  # type: ignore[attr-defined]
    expected = hidden_frequencies(released, data.rows(), [1.0] * len(data))
    np.testing.assert_allclose(figures(done), expected, rtol=1e-12)


def test_own_blanks_leave_nobody_unsafe_and_shared_ones_those_who_lean() -> None:
    frame = simulated(5, gaps=0.0)
    study = ms.study(frame, keys=frame.columns[:-1], weight="w", estimator="cell")
    for guarantee in GUARANTEES:
        done = weigh(study.suppress(k=3, guarantee=guarantee))  # type: ignore[arg-type]
        measured = done.risk("weighed").measured
        assert measured.count(measured.f < 3) == done.steps[-1].leaning
    assert done.steps[-1].leaning


def test_a_file_without_its_original_says_what_is_assumed(tmp_path: Path) -> None:
    frame = simulated(5, gaps=0.0)
    study = ms.study(frame, keys=frame.columns[:-1], weight="w", estimator="cell")
    done = weigh(study.suppress(k=3))
    known = done.risk("weighed")
    assert "missing-unknown" not in [notice.id for notice in known.notices]
    done.write(tmp_path / "safe.csv")
    alone = weigh(
        ms.study(tmp_path / "safe.csv", keys=study.scenario().keys, weight="w", estimator="cell")
    )
    assert "missing-unknown" in [notice.id for notice in alone.risk("weighed").notices]
    assert "missing-unknown" not in [notice.id for notice in alone.risk().notices]
    assert alone.risk("weighed").expected < known.expected
    back = done._read_back(alone)
    assert back.risk("weighed").expected == pytest.approx(known.expected, rel=1e-12)
    assert "missing-unknown" not in [notice.id for notice in back.risk("weighed").notices]


def test_previews_suggestions_and_contributions_know_it_too() -> None:
    frame = simulated(7, gaps=0.05, records=400)
    study = ms.study(frame, keys=frame.columns[:-1], weight="w", estimator="cell")
    done = weigh(study.suppress(k=3, guarantee="shared"))
    now = done.risk("weighed").expected
    for best in done.suggest("weighed"):
        assert best.before.expected == pytest.approx(now, rel=1e-12)
        taken = done.apply(best.step)
        # A key that is dropped is summed out of the model, or not in it from the beginning.
        close = 0.01 if isinstance(best.step, ms.Drop) else 1e-12
        assert best.after.expected == pytest.approx(taken.risk("weighed").expected, rel=close)
        again = done.preview(best.step, scenario="weighed")
        assert again.after.expected == pytest.approx(best.after.expected, rel=close)
    for each in done.risk("weighed").contributions():
        left = [key for key in frame.columns[:-1] if key != each.key]
        other = done.with_scenario("left", keys=left, missing="expected")
        assert each.without == pytest.approx(other.risk("left").expected, rel=0.01)


def cells(categories: Sequence[str]) -> Cells:
    count = np.ones(len(categories), np.int64)
    return Cells(
        keys=("a",),
        categories=(tuple(categories),),
        codes=(np.arange(1, len(categories) + 1, dtype=np.uint32),),
        count=count,
        weights=Exact.split(count.astype(np.float64)),
    )


def test_categories_are_found_as_they_stand_or_by_value() -> None:
    original = cells(["x", "1", "01", "2.0", "y "])
    assert cells(["01", "2", "y", "1"]).coded_as(original).codes[0].tolist() == [3, 4, 5, 2]
    with pytest.raises(ms.InputError, match="'a' has categories"):
        cells(["z"]).coded_as(original)
    unused = replace(cells(["x", "z"]), codes=(np.array([1, 0], np.uint32),))
    assert unused.coded_as(original).codes[0].tolist() == [1, 0]
