"""Values by record: out as arrays, back in, the same on every engine and by any batch."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.draws import Draws, number_identifiers
from microsafe.engine import Engine, Memory, memory
from microsafe.engine import slices as batches
from microsafe.engine.local import engine as local
from microsafe.engine.local import records
from microsafe.engine.record_access import (
    Ranking,
    RecordBatch,
    RecordValues,
    Selection,
    read_values,
    store_values,
)
from microsafe.progress import Tell
from microsafe.sums import SumGrid, Totals

pytestmark = pytest.mark.filterwarnings("ignore:PySpark:FutureWarning", "ignore::ResourceWarning")

KEYS = ["region", "sex", "age"]
DRAWS = Draws(seed=7, step=3, variable="region")
GOLDEN = ["3c73395545710e64", "9f7b69613064b90b", "8f6771a85d2aef03", "905080656778d4e4"]
GOLDEN += ["885e651a664ad9d4"]
FORMS = Selection(forms={"income": "number", "age": "code", "region": "text", "area": "text"})

Open = Callable[..., ms.Study]


def frame() -> pl.DataFrame:
    """A survey with gaps, text, fractions, a declared missing code and identifiers."""
    rows = pl.int_range(pl.len())
    return ms.survey(5, households=40).frame.with_columns(
        pl.when(rows % 7 != 0).then("age").alias("age"),
        pl.when(rows % 5 != 0).then("income").alias("income"),
        pl.when(rows % 6 != 0).then(pl.format("R{}", "region")).alias("region"),
        (pl.col("income") / 8).alias("area"),
        (1000 - 3 * rows).alias("id"),
        pl.format("person {}", rows).alias("name"),
    )


@pytest.fixture(autouse=True, scope="module")
def _functions_of_this_file_go_to_spark() -> None:
    """Spark's workers cannot import test files, so their functions are sent as they are."""
    if find_spec("pyspark") is not None:
        from pyspark import cloudpickle

        cloudpickle.register_pickle_by_value(sys.modules[__name__])


@pytest.fixture(params=["local", "spark"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Opens the survey on the engine whose turn it is, from a file."""
    if request.param == "spark":
        request.getfixturevalue("spark")

    def study(data: pl.DataFrame | None = None, **options: Any) -> ms.Study:
        data = frame() if data is None else data
        data.write_parquet(tmp_path / "in.parquet")
        return ms.study(tmp_path / "in.parquet", engine=request.param, **options)

    return study


def here(data: pl.DataFrame | None = None, **options: Any) -> ms.Study:
    return ms.study(frame() if data is None else data, **options)


def gone_through(engine: Engine, selection: Selection = FORMS) -> dict[str, list[Any]]:
    """All that comes out, whatever the batches were."""
    found: dict[str, list[Any]] = {"numbers": []}
    for batch in engine.columns(selection):
        found["numbers"] += batch.numbers.tolist()
        for name, values in batch.columns.items():
            pairs = zip(values.data.tolist(), values.missing.tolist(), strict=True)
            found.setdefault(name, []).extend(None if gap else each for each, gap in pairs)
    return found


def released(study: ms.Study) -> pl.DataFrame:
    engine: Any = study.engine
    if hasattr(engine, "table"):
        return engine.table()
    return pl.DataFrame(pl.from_arrow(engine.frame(ordered=True).toArrow()))


STATES: dict[str, Callable[[ms.Study], ms.Study]] = {
    "as read": lambda study: study,
    "suppressed": lambda study: study.suppress(k=3, linked={"region": ("income",)}),
    "sampled": lambda study: study.sample(0.4, seed=3, weight="weight"),
    "sampled and suppressed": lambda study: study.sample(0.4, seed=3, weight="weight").suppress(
        k=2
    ),
    "recoded": lambda study: study.round("income", 100).drop("marital"),
}  # after which records must still be known by their numbers
OPTIONS: dict[str, Any] = {"keys": KEYS, "weight": "weight", "estimator": "cell"}


def cut(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    for module in (batches, records):
        monkeypatch.setattr(module, "BATCH", size)


def noise(batch: RecordBatch) -> Mapping[str, RecordValues]:
    """Noise on a number, another category, a longer text: all by the number of the record."""
    income, age, region = (batch.columns[name] for name in ("income", "age", "region"))
    moved = income.data + np.rint(100 * DRAWS.normals(batch.numbers))
    code = np.where(DRAWS.uniforms(batch.numbers, 1) < 0.5, age.data, 1)
    text = np.array([f"{each}+" for each in region.data], object)
    return {
        "income": RecordValues(data=moved, missing=income.missing),
        "age": RecordValues(data=code, missing=age.missing),
        "region": RecordValues(data=text, missing=region.missing),
    }


def with_noise(study: ms.Study, selection: Selection = FORMS) -> ms.Study:
    after = [study.schema[name] for name in ("income", "age", "region")]
    return replace(study, engine=study.engine.map_records(selection, after, noise))


@pytest.mark.parametrize("state", STATES)
def test_columns_are_the_same_on_every_engine(opened: Open, state: str) -> None:
    one, other = (STATES[state](each(**OPTIONS)).engine for each in (opened, here))
    found = gone_through(one)
    assert found == gone_through(other)
    assert len(found["numbers"]) == other.rows()
    for name in ("age", "region"):
        assert list(one.categories(name)) == list(other.categories(name))


@pytest.mark.parametrize("state", STATES)
def test_columns_are_what_the_records_say(state: str) -> None:
    study = STATES[state](here(**OPTIONS))
    table, found = released(study), gone_through(study.engine)
    assert found["income"] == table["income"].to_list()
    categories = study.engine.categories("age")
    ages = [None if code is None else int(categories[code - 1]) for code in found["age"]]
    assert ages == table["age"].to_list()
    assert found["region"] == table["region"].to_list()
    assert [None if each is None else float(each) for each in found["area"]] == table[
        "area"
    ].to_list()
    numbered = frame().with_row_index("number").select("number", "id")
    wanted = numbered.filter(pl.col("id").is_in(table["id"].to_list()))["number"].to_list()
    assert found["numbers"] == wanted


@pytest.mark.parametrize("state", STATES)
def test_values_that_a_function_gives_are_the_same_on_every_engine(
    opened: Open, state: str
) -> None:
    one, other = (with_noise(STATES[state](each(**OPTIONS))) for each in (opened, here))
    table = released(other)
    assert released(one).equals(table)
    # Values were changed past the steps, so no model of the file before them applies.
    assert one.risk(one_estimator=True).summary() == other.risk(one_estimator=True).summary()
    before = released(STATES[state](here(**OPTIONS)))
    assert table.columns == before.columns
    assert table["income"].null_count() == before["income"].null_count()
    assert not table["income"].equals(before["income"])
    assert not table["age"].equals(before["age"])
    assert table["region"].to_list() == [each and f"{each}+" for each in before["region"]]
    untouched = [each for each in table.columns if each not in ("income", "age", "region")]
    assert table.select(untouched).equals(before.select(untouched))


def add_up(batch: RecordBatch) -> Totals:
    """Records that have an income, and sums of incomes and of their numbers."""
    income = batch.columns["income"]
    known, grid = ~income.missing, SumGrid.of(1e6, 1000)
    rows = (known.astype(float), np.where(known, income.data, 0.0), known * batch.numbers)
    found = [grid.add_up(each.astype(np.float64)) for each in rows]
    return Totals(*(np.array([getattr(each, of)[0] for each in found]) for of in ("high", "low")))


@pytest.mark.parametrize("state", STATES)
def test_what_is_said_of_batches_is_put_together(opened: Open, state: str) -> None:
    found = STATES[state](opened(**OPTIONS)).engine.reduce_records(FORMS, add_up)
    wanted = gone_through(STATES[state](here(**OPTIONS)).engine)
    pairs = zip(wanted["numbers"], wanted["income"], strict=True)
    known = [(number, x) for number, x in pairs if x is not None]
    sums = [len(known), sum(x for _, x in known), sum(number for number, _ in known)]
    assert found.value.tolist() == sums


def by_sex(batch: RecordBatch) -> Any:
    """Groups that records without an income are not in."""
    sex = batch.columns["sex"].data.astype(np.int64)
    return np.where(batch.columns["income"].missing, -1, sex)


def number_members(batch: RecordBatch, tell: Tell) -> Mapping[str, RecordValues]:
    """What a function of a group may say: its size, and the place of each record in it."""
    count = len(batch.numbers)
    tell(count)
    none = np.zeros(count, np.bool_)
    return {"income": RecordValues(data=1000.0 * count + np.arange(count), missing=none)}


def turn_round(batch: RecordBatch, block: Any) -> Mapping[str, RecordValues]:
    """The values of each block in reverse."""
    place = np.arange(len(block))
    first, last = np.searchsorted(block, block), np.searchsorted(block, block, side="right") - 1
    income = batch.columns["income"]
    return {"income": RecordValues(data=income.data[first + last - place], missing=income.missing)}


TOGETHER = Selection(forms={"income": "number", "sex": "code"})
RANKING = Ranking(
    group=by_sex,
    value=lambda batch: np.floor(np.nan_to_num(batch.columns["income"].data) / 500),
    word=lambda batch: DRAWS.words(batch.numbers)[:, 0],
    size=np.array([1, 7, 4]),
    start=np.array([0, 3, 1]),
)


@pytest.mark.parametrize("state", ["as read", "sampled and suppressed"])
@pytest.mark.parametrize("verb", ["map_groups", "map_blocks"])
def test_records_that_are_looked_at_together(opened: Open, state: str, verb: str) -> None:
    found = []
    for study in (STATES[state](opened(**OPTIONS)), STATES[state](here(**OPTIONS))):
        after = [study.schema["income"]]
        if verb == "map_groups":
            engine = study.engine.map_groups(TOGETHER, after, by_sex, number_members)
        else:
            engine = study.engine.map_blocks(TOGETHER, after, RANKING, turn_round)
        made = replace(study, engine=engine)
        assert not released(made)["income"].equals(released(study)["income"])
        found.append((released(made), released(made.round("income", 10))))
    for one, other in zip(*found, strict=True):
        assert one.equals(other)


def test_groups_tell_how_many_records_are_done() -> None:
    study = here(**OPTIONS)
    told: list[int] = []
    study.engine.map_groups(TOGETHER, [study.schema["income"]], by_sex, number_members, told.append)
    known = study.engine.table()["income"].drop_nulls()  # type: ignore[attr-defined]
    assert told == sorted(told)
    assert told[-1] == len(known)


def test_blocks_are_neighbours_in_rank() -> None:
    study = here(**OPTIONS)
    made = study.engine.map_blocks(TOGETHER, [study.schema["income"]], RANKING, turn_round)
    before, now = (engine.table().rows(named=True) for engine in (study.engine, made))  # type: ignore[attr-defined]
    words = DRAWS.words(np.arange(len(before), dtype=np.uint64))[:, 0].tolist()
    for code, size, start in ((1, 7, 3), (2, 4, 1)):
        sex = study.engine.categories("sex")[code - 1]
        rows = [
            (old["income"] // 500, word, old["income"], new["income"])
            for old, new, word in zip(before, now, words, strict=True)
            if str(old["sex"]) == sex and old["income"] is not None
        ]
        rows.sort()
        cuts = [0, *range(start, len(rows), size), len(rows)]
        for one, other in pairwise(cuts):
            block = rows[one:other]
            assert [row[3] for row in block] == [row[2] for row in block][::-1]


def test_nothing_can_be_said_of_no_records(opened: Open) -> None:
    with pytest.raises(ms.InputError, match="has no records"):
        opened(frame().head(0)).engine.reduce_records(FORMS, add_up)


def test_steps_on_top_of_new_values(opened: Open) -> None:
    def protect(study: ms.Study) -> ms.Study:
        changed = with_noise(study.suppress(k=2)).round("income", 50)
        again = with_noise(changed.suppress(k=3)).renumber("id", seed=4)
        return again.recode("age", breaks=[0, 30, 60]).drop("marital")

    start = [each(**OPTIONS) for each in (opened, here)]
    one, other = map(protect, start)
    assert released(one).equals(released(other))
    assert one.engine.count_blanks() == other.engine.count_blanks()
    costs = [s.engine.pair_with(e.engine, None) for s, e in zip(start, (one, other), strict=True)]
    assert costs[0].find_altered(KEYS) == costs[1].find_altered(KEYS)


@pytest.mark.parametrize("state", ["as read", "sampled"])
def test_arrays_come_back_in(opened: Open, state: str) -> None:
    """A step that needs all records at once: values are sorted, and dealt out in that order."""

    def protect(study: ms.Study) -> ms.Study:
        engine = study.engine
        selection = Selection(forms={"income": "number", "age": "code", "region": "text"})
        after = [study.schema[name] for name in selection.forms]
        found = list(engine.columns(selection))
        known = [each.columns["income"] for each in found]
        pool = np.sort(np.concatenate([each.data[~each.missing] for each in known]))

        def sort(start: int, batch: RecordBatch) -> RecordBatch:
            income, region = batch.columns["income"], batch.columns["region"]
            new = income.data.copy()
            new[~income.missing] = pool[start : start + int((~income.missing).sum())]
            gone = np.where(region.missing, "R1", "")  # what was there goes, what was not comes
            return RecordBatch(
                numbers=batch.numbers,
                columns={
                    "income": RecordValues(data=new, missing=income.missing),
                    "age": batch.columns["age"],
                    "region": RecordValues(
                        data=gone.astype(object), missing=np.zeros(len(gone), np.bool_)
                    ),
                },
            )

        starts = np.cumsum([0, *(int((~each.missing).sum()) for each in known)])
        moved = (sort(int(start), batch) for start, batch in zip(starts, found, strict=False))
        return replace(study, engine=engine.replace_columns(selection, after, moved))

    one, other = (protect(STATES[state](each(**OPTIONS))) for each in (opened, here))
    table, before = released(other), released(STATES[state](here(**OPTIONS)))
    assert released(one).equals(table)
    assert table["income"].drop_nulls().to_list() == sorted(before["income"].drop_nulls())
    assert table["age"].equals(before["age"].cast(pl.Int64))
    assert table["region"].is_null().equals(before["region"].is_not_null().alias("region"))


@pytest.mark.parametrize("limited", [False, True])
@pytest.mark.parametrize("size", [pytest.param(8, marks=pytest.mark.slow), 64, 1 << 21])
def test_batches_and_memory_do_not_matter(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, size: int, limited: bool
) -> None:
    frame().write_parquet(tmp_path / "in.parquet")

    def everything(**options: Any) -> list[Any]:
        found: list[Any] = []
        for protect in STATES.values():
            study = protect(ms.study(tmp_path / "in.parquet", **OPTIONS, **options))
            changed = with_noise(with_noise(study).suppress(k=2))
            assert [len(each.numbers) for each in study.engine.columns(Selection())][:-1] == [
                batches.BATCH
            ] * ((study.engine.rows() - 1) // batches.BATCH)
            found += [gone_through(study.engine), gone_through(changed.engine), released(changed)]
            found.append(gone_through(study.engine, replace(FORMS, identifier="name")))
            found.append(changed.engine.values("region").to_list())
        return [each.rows() if isinstance(each, pl.DataFrame) else each for each in found]

    wanted = everything()
    cut(monkeypatch, size)
    options: dict[str, Any] = {}
    if limited:
        monkeypatch.setattr(memory, "OWN", 0)
        monkeypatch.setattr(Memory, "need", lambda self, *_: self._limit and self.settle())
        options["memory"] = 10**3
        monkeypatch.setattr(local, "PER_CELL", 0)
    assert everything(**options) == wanted


def test_the_generator_on_every_engine(opened: Open) -> None:
    """The published words come out, the kernel running where the records are."""

    def draw(batch: RecordBatch) -> Mapping[str, RecordValues]:
        words = DRAWS.words(batch.numbers)[:, 0]
        texts = np.array([f"{int(word):016x}" for word in words], object)
        return {"name": RecordValues(data=texts, missing=np.zeros(len(texts), np.bool_))}

    study = opened()
    after = [study.schema["name"]]
    made = study.engine.map_records(Selection(forms={"name": "text"}), after, draw)
    assert released(replace(study, engine=made))["name"].head(5).to_list() == GOLDEN


@pytest.mark.parametrize("identifier", ["id", "name"])
def test_an_identifier_takes_the_place_of_the_number(opened: Open, identifier: str) -> None:
    selection = replace(FORMS, identifier=identifier)
    found = gone_through(opened().engine, selection)
    assert found == gone_through(here().engine, selection)
    column = frame()[identifier]
    values = column.to_numpy() if identifier == "id" else column.to_list()
    assert found["numbers"] == number_identifiers(values).tolist()
    turned = frame().reverse()
    one, other = with_noise(opened(turned), selection), with_noise(here(), selection)
    assert released(one).reverse().equals(released(other))


def test_records_without_an_order_need_an_identifier(spark: Any) -> None:
    given = spark.createDataFrame(frame().to_arrow())
    selection = replace(FORMS, identifier="name")
    one, other = (
        ms.study(each, engine="spark") for each in (given.repartition(1), given.repartition(4))
    )
    for study in (one, other):
        with pytest.raises(ms.UsageError, match=r"no order, .* Name an identifier"):
            study.engine.columns(FORMS)
        with pytest.raises(ms.UsageError, match=r"no order, .* Name an identifier"):
            with_noise(study)
    assert gone_through(one.engine, selection) == gone_through(other.engine, selection)
    changed = [released(with_noise(each, selection)).sort("id") for each in (one, other, here())]
    assert changed[0].equals(changed[1])
    assert changed[0].equals(changed[2])

    def swapped(study: ms.Study) -> pl.DataFrame:
        batches = study.engine.columns(selection)
        after = [study.schema["income"]]
        made = study.engine.replace_columns(selection, after, batches)
        return released(replace(study, engine=made)).sort("id")

    assert swapped(one).equals(frame().sort("id"))


def test_several_files_are_counted_through(spark: Any, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    for place, part in enumerate(frame().iter_slices(30)):
        part.write_parquet(folder / f"part-{place}.parquet", row_group_size=10)
    frame().write_csv(tmp_path / "in.csv")
    study = ms.study(f"{folder}/", **OPTIONS, engine="spark")
    assert gone_through(study.engine) == gone_through(here(**OPTIONS).engine)
    assert released(with_noise(study)).equals(released(with_noise(here(**OPTIONS))))
    texts = [ms.study(tmp_path / "in.csv", engine=engine) for engine in ("spark", "local")]  # type: ignore[arg-type]
    assert gone_through(texts[0].engine) == gone_through(texts[1].engine)
    one, other = (released(with_noise(each)) for each in texts)
    assert one.equals(other)
    assert other["income"].dtype == pl.String  # text stays text


BAD_IDENTIFIERS = {
    "missing": pl.when(pl.col("id") != 1000).then("id").alias("id"),
    "same value in several": (pl.col("id") // 9).alias("id"),
    "fractions": (pl.col("id") / 2).alias("id"),
}


@pytest.mark.parametrize("fault", BAD_IDENTIFIERS)
def test_identifiers_that_do_not_identify(opened: Open, fault: str) -> None:
    engine = opened(frame().with_columns(BAD_IDENTIFIERS[fault])).engine
    with pytest.raises(ms.InputError, match=f"Identifier 'id' .* {fault}"):
        list(engine.columns(Selection(identifier="id")))


def test_what_cannot_go_through(opened: Open) -> None:
    study = opened(frame().with_columns(pl.concat_list("sex", "age").alias("list")))
    with pytest.raises(ms.InputError, match="holds lists"):
        study.engine.columns(Selection(forms={"list": "text"}))
    with pytest.raises(ms.InputError, match="no variable 'incom'"):
        study.engine.columns(Selection(forms={"incom": "number"}))
    with pytest.raises(ms.InputError, match=r"text instead of a number|not hold numbers"):
        list(study.engine.columns(Selection(forms={"name": "number"})))
    with pytest.raises(ValueError, match="'income' cannot come back"):
        study.engine.map_records(Selection(), [study.schema["income"]], noise)


def test_every_record_comes_back(opened: Open) -> None:
    engine, selection = opened().engine, Selection(forms={"income": "number"})
    after, found = [engine.schema["income"]], list(engine.columns(selection))
    fewer = [
        RecordBatch(
            numbers=each.numbers[1:],
            columns={"income": RecordValues(data=v.data[1:], missing=v.missing[1:])},
        )
        for each in found
        for v in [each.columns["income"]]
    ]
    for wrong in ([], fewer, [*found, *found]):
        with pytest.raises(ValueError, match="Every record must come back"):
            engine.replace_columns(selection, after, wrong)


def test_records_come_back_in_order() -> None:
    engine, selection = here().engine, Selection(forms={"income": "number"})
    turned = [
        RecordBatch(
            numbers=each.numbers[::-1],
            columns={"income": RecordValues(data=v.data[::-1], missing=v.missing[::-1])},
        )
        for each in engine.columns(selection)
        for v in [each.columns["income"]]
    ]
    with pytest.raises(ValueError, match="order in which they went out"):
        engine.replace_columns(selection, [engine.schema["income"]], turned)


@pytest.mark.parametrize(
    ("kind", "number", "words"),
    [("integer", 1.5, "cannot take fractions"), ("number", np.nan, "must be one")],
)
def test_numbers_that_a_variable_cannot_hold(kind: Any, number: float, words: str) -> None:
    values = RecordValues(data=np.array([number, 2.0]), missing=np.array([False, False]))
    with pytest.raises(ValueError, match=words):
        store_values(values, "number", kind)
    gap = RecordValues(data=np.array([number, 2.0]), missing=np.array([True, False]))
    assert store_values(gap, "number", kind).to_list() == [None, 2]


def test_numbers_are_spelled_as_in_a_plan() -> None:
    column = pl.Series([5.0, 0.1, None, float("nan"), 1e20])
    values = read_values(column, "text")
    assert values.data.tolist() == ["5", "0.1", None, None, "1e+20"]
    assert values.missing.tolist() == [False, False, True, True, False]
    known = RecordValues(data=np.array([5.0, 0.5]), missing=np.array([False, False]))
    assert store_values(known, "number", "text").to_list() == ["5", "0.5"]


def test_missing_values_keep_what_they_are(opened: Open) -> None:
    """Declared codes stay as they are; what cannot be of the new kind goes."""
    data = pl.DataFrame({"x": ["1", "NA", None, "9", "2,5"], "id": [4, 3, 2, 1, 0]})

    def double(batch: RecordBatch) -> Mapping[str, RecordValues]:
        return {
            "x": RecordValues(data=2 * batch.columns["x"].data, missing=batch.columns["x"].missing)
        }

    study = opened(data, na=("NA", "9"))
    selection, variable = Selection(forms={"x": "number"}), study.schema["x"]
    for after, wanted in (
        (variable, ["2", "NA", None, "9", "5"]),
        (replace(variable, kind="number", missing=()), [2.0, None, None, 9.0, 5.0]),
    ):
        made = study.engine.map_records(selection, [after], double)
        assert released(replace(study, engine=made))["x"].to_list() == wanted
        assert made.schema["x"] == after


def test_a_copy_goes_its_own_way(opened: Open) -> None:
    study = opened(keys=KEYS).suppress(k=2).recode("age", breaks=[0, 30, 60])
    start, engine = released(study), study.engine
    copied = engine.copy_variable("age", replace(engine.schema["age"], name="old age"))
    blanked = copied.blank_keys(
        study.scenario(),
        np.arange(3),
        np.array([4, 4, 4]),
        np.full(3, 1),
        linked={"age": ["region"]},
    )
    made = replace(study, engine=blanked)
    assert released(made)["old age"].equals(start["age"].alias("old age"))
    assert released(made)["age"].null_count() > start["age"].null_count()
    both = blanked.cells(replace(study.scenario(), keys=("age", "old age")))
    assert any(one == 0 < other for one, other in zip(*both.codes, strict=True))
    recoded = made.recode("age", groups={"all": []}, other="all").engine
    back = recoded.replace_variable("age", "old age")
    assert back.schema.names == engine.schema.names
    assert released(replace(study, engine=back))["age"].equals(start["age"])
    assert list(back.categories("age")) == list(engine.categories("age"))
    gone = blanked.replace_variable("old age", "age").drop_variables(["household"])
    assert "age" not in gone.schema
