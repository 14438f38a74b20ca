"""What is Spark's own: how data come in and go out, what is refused, what the docs promise."""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyreadstat
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.engine.local import LocalEngine
from microsafe.engine.record_access import Selection
from microsafe.errors import MicrosafeError
from microsafe.intruders.numbers import NumbersIntruder
from microsafe.io.text.packed import pack_pieces
from microsafe.progress import silent
from microsafe.sentences import Sentence
from microsafe.studies.attacked_file import AttackedStudy
from microsafe.studies.telling_variables import find_telling_variables

pytestmark = pytest.mark.filterwarnings("ignore:PySpark:FutureWarning", "ignore::ResourceWarning")

KEYS = ["region", "sex", "age", "education"]
SPARED = ["region", "sex", "age"]
DECIDED = """[[keep]]
variables = ["household", "hsize", "marital", "education", "occupation", "citizenship", "income"]
why = "nobody knows them"
[output]
keep_order = "to compare records"
""".rstrip()
# By joint keys, as the estimator "model" has it, households are measured on one machine only.
SCENARIO: dict[str, Any] = {
    "keys": KEYS,
    "weight": "weight",
    "household": "household",
    "estimator": "cell",
}

# Not by households: what is decided by joint keys is a declared gap there.
PLAN = """
microsafe = 1

[input]
file = "survey.sav"

[scenario]
keys = ["region", "hsize", "sex", "age", "marital", "citizenship"]
weight = "weight"
estimator = "model"

[policy]
record_risk = 0.01
rate = 0.01

[[step]]
do = "recode"
variable = "age"
breaks = [0, 15, 25, 35, 45, 55, 65, 75]
names = [0, 15, 25, 35, 45, 55, 65, 75]
why = "Neighbours know the age to the year"

[[step]]
do = "top_code"
variable = "income"
limit = 6000
label = "6,000 and more"
why = "Very high incomes are known"

[[step]]
do = "round"
variable = "income"
base = 100
why = "Nobody needs more"

[[step]]
do = "drop"
variables = ["occupation"]
why = "Nobody asked for it"

[[step]]
do = "renumber"
variable = "household"
seed = 20240501
why = "The numbers are in the interviewers' lists"

[[step]]
do = "recode"
variable = "region"
groups = { 1 = [1, 2, 3], 2 = [4, 5, 6], 3 = [7, 8, 9], 4 = [10, 11, 12] }
labels = { 1 = "North", 2 = "West", 3 = "Centre and South", 4 = "Islands and Borders" }
why = "Larger regions rather than gaps"

[[step]]
do = "suppress"
above = 0.01
spare = ["hsize"]
guarantee = "view"
why = "The board's limits"

[[keep]]
variables = ["education"]
why = "Neighbours do not know it; it is what the file is for"

[output]
file = "board.sav"
keep_order = "each engine shuffles in its own way"
report = "board.html"
public_report = "users.html"
"""


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    """A survey with gaps, and text besides numbers."""
    rows = pl.int_range(pl.len())
    return ms.survey(2, households=80).frame.with_columns(
        pl.when(rows % 7 != 0).then("age").alias("age"),
        pl.when(rows % 11 != 0).then(pl.format("R{}", "region")).alias("region"),
    )


def there(found: Any) -> pl.DataFrame:
    return pl.DataFrame(pl.from_arrow(found.toArrow()))


def opened(data: object, **options: Any) -> ms.Study:
    return ms.study(data, **(SCENARIO | options), engine="spark")


@pytest.fixture
def as_given(spark: Any, frame: pl.DataFrame, tmp_path: Path) -> dict[str, object]:
    """The same records in every way that Spark takes them."""
    frame.write_parquet(tmp_path / "one.parquet")
    frame.write_csv(tmp_path / "one.csv", separator=";")
    folder = tmp_path / "several"
    folder.mkdir()
    for place, part in enumerate(frame.iter_slices(60)):
        part.write_parquet(folder / f"part-{place}.parquet", row_group_size=25)
    table = spark.createDataFrame(frame.to_arrow())
    table.createOrReplaceTempView("people")
    return {
        "file": tmp_path / "one.parquet",
        "text": str(tmp_path / "one.csv"),
        "folder": f"{folder}/",
        "table": "people",
        "frame": table.repartition(3),
    }


@pytest.mark.parametrize("way", ["file", "text", "folder", "table", "frame"])
def test_every_way_in_measures_and_protects_alike(
    as_given: dict[str, object], frame: pl.DataFrame, way: str, tmp_path: Path
) -> None:
    here = ms.study(tmp_path / "one.csv" if way == "text" else frame, **SCENARIO)
    study = opened(as_given[way])
    assert study.engine.rows() == len(frame)
    one, other = study.risk(limit=0.01).summary(), here.risk(limit=0.01).summary()
    assert one == other
    safe, wanted = (
        study.suppress(above=0.005, spare=SPARED),
        here.suppress(above=0.005, spare=SPARED),
    )
    assert safe.steps[-1].blanks == wanted.steps[-1].blanks
    assert safe.steps[-1].stuck == wanted.steps[-1].stuck > 0
    numbered = way not in ("table", "frame")  # these have no order, hence no numbers of records
    assert safe.steps[-1].examples == (wanted.steps[-1].examples if numbered else ())
    released = there(safe.engine.frame(ordered=True))
    table = wanted.engine.table()
    order = [] if numbered else table.columns
    assert released.sort(order).equals(table.sort(order)) if order else released.equals(table)


def test_without_an_order_what_a_record_says_decides(spark: Any, frame: pl.DataFrame) -> None:
    given = spark.createDataFrame(frame.to_arrow())
    safe = [
        there(opened(each).suppress(k=3, guarantee="shared").engine.frame(ordered=True))
        for each in (given.repartition(1), given.orderBy("income").repartition(4))
    ]
    assert safe[0].equals(safe[1])


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_same_json_on_both_engines(
    spark: Any, frame: pl.DataFrame, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"gaps.{suffix}"
    getattr(frame, f"write_{suffix}")(path)
    by_cell = ("--estimator", "cell")  # the file chooses "model", as the other commands show
    for command, *options in (
        ("risk", "--household", "household", "--limit", "0.01", "--na", "98", *by_cell),
        ("risk", "--missing", "expected", "--attack", "weight"),
        ("limit", "--rate", "0.002"),
        ("combinations", "--k", "2"),
        ("file-risk", "--interactions", "1"),
        ("uniques", "--max-size", "2"),
        ("tabulate", "--min-weight", "300"),
        ("diversity", "--sensitive", "marital,income", "--ordered", "income"),
        ("describe",),
    ):
        scenario = ["--keys", ",".join(KEYS)] if command != "describe" else []
        scenario += ["--weight", "weight"] if command not in ("describe", "diversity") else []
        call = [command, str(path), *scenario, *options]
        assert main([*call, "--json"]) == 0
        wanted = capsys.readouterr().out
        assert main([*call, "--json", "--engine", "spark"]) == 0
        assert capsys.readouterr().out == wanted


def test_command_line_writes_records_and_a_safe_file(
    spark: Any, frame: pl.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "gaps.csv"
    frame.write_csv(path)
    keys = ["--keys", ",".join(KEYS), "--weight", "weight", "--json"]
    for engine in ("local", "spark"):
        out = [str(tmp_path / f"{engine}.{suffix}") for suffix in ("csv", "parquet")]
        where = [*keys, "--engine", engine]
        assert main(["suppress", str(path), *where, "--above", "0.02", "-o", out[0]]) == 0
        assert main(["risk", str(path), *where, "--records", out[1]]) == 0
    capsys.readouterr()
    safe = [
        pl.read_csv(tmp_path / f"{each}.csv", infer_schema=False) for each in ("local", "spark")
    ]
    assert safe[0].equals(safe[1])
    one, other = (pl.read_parquet(tmp_path / f"{each}.parquet") for each in ("local", "spark"))
    assert other.select(one.columns).equals(one)
    assert main(["risk", str(path), *keys, "--master", "local[2]"]) == 2
    assert "engine='spark'" in capsys.readouterr().err
    assert main(["suppress", str(path), *keys, "--above", "0.02", "-o", f"{tmp_path}/x.csv/"]) == 2
    assert "Only Spark" in capsys.readouterr().err


def _refuse_records(*_: object, **__: object) -> None:
    raise ms.InputError(Sentence("records-apart"))


def test_a_plan_of_many_steps_gives_the_same_released_values(
    spark: Any,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # What variables tell of changed keys and small areas are declared gaps: no engine looks here.
    monkeypatch.setattr("microsafe.studies.telling_variables._search", _refuse_records)
    monkeypatch.setattr("microsafe.studies.measure.find_small_areas", _refuse_records)
    monkeypatch.setattr(NumbersIntruder, "play", lambda self, *_: self.skip("records apart"))
    assert main(["demo", "--folder", str(tmp_path / "local")]) == 0
    shutil.copytree(tmp_path / "local", tmp_path / "spark")
    locks = []
    for engine in ("local", "spark"):
        path = tmp_path / engine / "board.toml"
        path.write_text(PLAN, "utf-8")
        assert main(["protect", str(path), "--engine", engine]) == 0
        locks.append(json.loads(path.with_suffix(".lock").read_text("utf-8")))
    capsys.readouterr()
    saved = [(tmp_path / engine / "board.sav") for engine in ("local", "spark")]
    assert saved[0].read_bytes() == saved[1].read_bytes()
    for part in ("steps", "risk", "verdicts"):
        assert locks[0][part] == locks[1][part]
    for report in ("board.html", "users.html"):
        told = [(tmp_path / engine / report).read_text("utf-8") for engine in ("local", "spark")]
        one, other = (re.sub(r"<li>.*? was not tried: .*?</li>", "", text) for text in told)
        assert one == other  # but for reasons: intruders by record are a declared gap


def test_a_folder_and_one_file(spark: Any, frame: pl.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "given.parquet"
    frame.write_parquet(path)
    safe, wanted = (
        ms.study(path, **SCENARIO, engine=engine).suppress(above=0.02)  # type: ignore[arg-type]
        for engine in ("spark", "local")
    )
    table = wanted.engine.table()
    safe.write(tmp_path / "safe.parquet")
    assert pl.read_parquet(tmp_path / "safe.parquet").equals(table)
    first = (tmp_path / "safe.parquet").read_bytes()
    safe.write(tmp_path / "safe.parquet")
    assert (tmp_path / "safe.parquet").read_bytes() == first
    safe.write(f"{tmp_path}/parts.parquet/")
    parts = pl.read_parquet(tmp_path / "parts.parquet" / "*.parquet")
    assert parts.sort(parts.columns).equals(table.sort(table.columns))
    with pytest.raises(ms.UsageError, match=r"parts\.parquet already exists"):
        safe.write(f"{tmp_path}/parts.parquet/")
    safe.write(tmp_path / "safe.csv", shuffle=3)
    wanted.write(tmp_path / "wanted.csv")
    texts = [(tmp_path / f"{each}.csv").read_text().splitlines() for each in ("safe", "wanted")]
    assert texts[0] != texts[1]
    assert sorted(texts[0]) == sorted(texts[1])
    assert sorted(each.name for each in tmp_path.iterdir() if each.name[0] == ".") == []
    with pytest.raises(ms.UsageError, match="is the file that the data were read from"):
        safe.write(path)


def test_a_plan_for_a_folder(spark: Any, frame: pl.DataFrame, tmp_path: Path) -> None:
    folder = tmp_path / "people"
    folder.mkdir()
    for place, part in enumerate(frame.iter_slices(60)):
        part.write_parquet(folder / f"part-{place}.parquet")
    (folder / "_SUCCESS").touch()
    frame.write_parquet(tmp_path / "people.parquet")
    for name, engine in (("people", "spark"), ("people.parquet", "local")):
        plan = tmp_path / f"{engine}.toml"
        plan.write_text(
            f"""microsafe = 1
[input]
file = "{name}"
[scenario]
keys = ["region", "sex", "age"]
weight = "weight"
estimator = "model"
[[step]]
do = "suppress"
k = 3
{DECIDED}
file = "{engine}.safe.parquet"
"""
        )
        assert main(["protect", str(plan), "--engine", engine]) == 0
        assert main(["replay", str(plan), "--check", "--engine", engine]) == 0
    one, other = (pl.read_parquet(tmp_path / f"{each}.safe.parquet") for each in ("spark", "local"))
    assert one.equals(other)


@pytest.mark.parametrize("household", ["household", pytest.param(None, marks=pytest.mark.nightly)])
def test_a_sample_is_the_same_in_every_form(
    as_given: dict[str, object], frame: pl.DataFrame, household: str | None, tmp_path: Path
) -> None:
    for way in ("file", "text", "folder"):
        here = ms.study(tmp_path / "one.csv" if way == "text" else frame, **SCENARIO)
        one, other = (
            each.sample(0.3, seed=5, household=household) for each in (opened(as_given[way]), here)
        )
        assert one.steps == other.steps
        assert there(one.engine.frame(ordered=True)).equals(other.engine.table())
        assert one.risk().summary() == other.risk().summary()
        safe = [each.suppress(above=0.0005, spare=SPARED).steps[-1] for each in (one, other)]
        assert safe[0] == safe[1]
        assert len(safe[0].examples) == 5


@pytest.mark.parametrize("weight", ["comma", "added"])
def test_the_weight_of_a_sample(
    spark: Any, frame: pl.DataFrame, weight: str, tmp_path: Path
) -> None:
    text = pl.col("weight").cast(pl.String).str.replace(".", ",", literal=True)
    frame.with_columns(text.alias("comma")).write_csv(tmp_path / "in.csv", separator=";")
    one, other = (
        ms.study(tmp_path / "in.csv", keys=KEYS, engine=engine).sample(0.3, seed=5, weight=weight)  # type: ignore[arg-type]
        for engine in ("spark", "local")
    )
    assert one.schema == other.schema
    assert there(one.engine.frame(ordered=True)).equals(other.engine.table())  # type: ignore[attr-defined]
    assert one.risk().summary() == other.risk().summary()


def test_a_sample_of_a_package_file_is_written_by_place(
    spark: Any, frame: pl.DataFrame, tmp_path: Path
) -> None:
    pyreadstat.write_dta(frame, str(tmp_path / "in.dta"))
    for engine in ("spark", "local"):
        study = ms.study(tmp_path / "in.dta", **SCENARIO, engine=engine)  # type: ignore[arg-type]
        study.sample(0.3, seed=5).suppress(k=3).write(tmp_path / f"{engine}.dta")
        study.sample(0.3, seed=5).write(tmp_path / f"{engine}-shuffled.dta", shuffle=2)
    for name in ("{}.dta", "{}-shuffled.dta"):
        one, other = ((tmp_path / name.format(each)).read_bytes() for each in ("spark", "local"))
        assert one == other


def test_a_file_of_a_package_goes_through_this_machine(
    spark: Any, frame: pl.DataFrame, tmp_path: Path
) -> None:
    pyreadstat.write_sav(frame, str(tmp_path / "in.sav"), missing_ranges={"education": [98]})
    one, other = (
        ms.study(tmp_path / "in.sav", **SCENARIO, engine=engine).recode("age", breaks=[0, 30, 60])  # type: ignore[arg-type]
        for engine in ("spark", "local")
    )
    one.suppress(k=3).write(tmp_path / "one.sav", shuffle=None)
    other.suppress(k=3).write(tmp_path / "other.sav")
    assert (tmp_path / "one.sav").read_bytes() == (tmp_path / "other.sav").read_bytes()


@pytest.mark.parametrize("weighted", [True, False])
def test_cells_beyond_the_bound_are_measured_by_count_and_weight(
    spark: Any, frame: pl.DataFrame, weighted: bool
) -> None:
    rounded = frame.with_columns((pl.col("weight") / 100).round().clip(1.0))
    options: dict[str, Any] = {"keys": KEYS, "weight": "weight" if weighted else None}
    options |= {"missing": "category", "estimator": "cell"}
    here = ms.study(rounded, **options).risk(limit=0.01)
    few = ms.study(
        spark.createDataFrame(rounded.to_arrow()), **options, engine="spark", most_cells=90
    )
    found = few.risk(limit=0.01)
    # The model needs the cells themselves, so it is not fitted beside; a notice says so.
    one, other = found.summary(), here.summary()
    assert (one.pop("model"), other.pop("model") is not None) == (None, weighted)
    (told,), _ = one.pop("notices"), other.pop("notices")
    assert ("The model was not fitted for comparison" in told) == weighted
    assert (one.pop("gaps", None), bool(other.pop("gaps"))) == (None, True)
    assert one == other
    names = ["f", "F", "risk"]
    wanted = here.records().select(names).sort(names)
    assert there(found.records()).select(names).sort(names).equals(wanted)
    for verb in (found.top, found.cells, found.contributions):
        with pytest.raises(ms.UsageError, match="too many cells"):
            verb()


@pytest.mark.parametrize(("bound", "wanted"), [(None, "model"), (90, "cell")])
def test_the_file_chooses_the_estimator(
    spark: Any, frame: pl.DataFrame, bound: int | None, wanted: str
) -> None:
    options = {"keys": KEYS, "weight": "weight"}
    here = ms.study(frame, **options)
    far = ms.study(
        spark.createDataFrame(frame.to_arrow()), **options, engine="spark", most_cells=bound
    )
    far = far.recode("region", groups={"R1": ["R1", "R2"]}, other="R9")
    for name in ("main", "second"):
        chosen = far._chosen[name]
        assert far.scenario(name).estimator == wanted
        assert chosen.id == ("estimator-too-many" if bound else "estimator-model")
        assert chosen.figures["share"] == here._chosen["main"].figures["share"] >= 0.05
        far = far.with_scenario("second", keys=KEYS) if name == "main" else far


# What a study of 50 cells at most can be asked for: refused if it is a declared gap, else done.
ACTS: dict[str, Callable[[ms.Study, Path], Any]] = {
    "intruders by record": lambda s, _: AttackedStudy(s, "main", limits={}, progress=silent).shown(
        "sex"
    ),
    "households by joint keys": lambda s, _: find_families(under(s, household="household")),
    "risk with missing keys": lambda s, _: s.risk(),
    "risk with expected matches": lambda s, _: under(s, missing="expected").risk("other"),
    "risk of households": lambda s, _: under(s, household="household").risk("other"),
    "risk by weight": lambda s, _: under(s, missing="category", attack="weight").risk("other"),
    "risk with many weights": lambda s, _: under(s, missing="category").risk("other"),
    "risk by category": lambda s, _: under(s, missing="category", weight=None).risk("other"),
    "risk by the model": lambda s, _: under(s, missing="category", estimator="model").risk("other"),
    "estimator chosen by the file": lambda s, _: under(s, estimator=None),
    "variables that tell of keys": lambda s, _: find_telling_variables(
        s.drop("sex", from_keys=True)
    ),
    "risk without missing keys": lambda s, _: under(s, keys=["sex", "education"]).risk("other"),
    "suppress": lambda s, _: s.suppress(k=2),
    "combinations": lambda s, _: s.combinations(k=2),
    "file_risk": lambda s, _: s.file_risk(),
    "file_risk of many households": lambda s, _: under(
        s, keys=["sex", "education"], household="household"
    ).file_risk("other"),
    "uniques": lambda s, _: s.uniques(),
    "tabulation": lambda s, _: s.tabulation(),
    "diversity": lambda s, _: s.diversity("marital"),
    "describe": lambda s, _: s.describe(),
    "recode": lambda s, _: s.recode("region", groups={"R1": ["R1", "R2"]}, other="R9"),
    "recode many values": lambda s, _: s.round("income", 10),
    "renumber many values": lambda s, _: s.renumber("income", seed=1),
    "drop": lambda s, _: s.drop("income"),
    "compare": lambda s, _: s.recode("region", groups={"R1": ["R1"]}, other="R9").compare(),
    "sample": lambda s, _: s.sample(0.1, seed=1),
    "members": lambda s, _: under(ordered(s), household="household").members("one", seed=1),
    "sample in order": lambda s, _: ordered(s).sample(0.1, seed=1),
    "sample many households": lambda s, _: ordered(s).sample(0.9, seed=1, household="household"),
    "values by record": lambda s, _: list(s.engine.columns(Selection(forms={"age": "number"}))),
    "values of many records": lambda s, _: list(ordered(s).engine.columns(Selection())),
    "microaggregate": lambda s, _: ordered(s).microaggregate("income"),
    "rank_swap": lambda s, _: ordered(s).rank_swap("income", percent=100, seed=1),
    "rank_swap of small blocks": lambda s, _: ordered(s).rank_swap("income", percent=1, seed=1),
    "noise": lambda s, _: ordered(s).noise("income", seed=1),
    "top_code by share": lambda s, _: ordered(s).top_code("income", share=0.02),
    "round at random": lambda s, _: ordered(s).round("income", 10, random=True, seed=1),
    "shuffle": lambda s, _: ordered(s).shuffle("income", given="age", seed=1),
    "swap": lambda s, _: ordered(s).swap("household", "region", risk_keys="sex", seed=1),
    "frame": lambda s, _: s.frame.limit(3).count(),
    "to_polars": lambda s, _: s.to_polars(),
    "plan of a frame": lambda s, _: s.plan(),
    "join": lambda s, _: ms.study(s.frame, join="homes.csv", on="hid", engine="spark"),
    "write SPSS": lambda s, folder: s.write(folder / "safe.sav"),
    "check SPSS": lambda s, folder: s._check_output(folder / "safe.sav"),
    "write Parquet": lambda s, folder: s.write(folder / "safe.parquet"),
    "text with carriage returns": lambda _, folder: returns(folder),
    "text in an archive": lambda _, folder: zipped(folder),
}


def under(study: ms.Study, **changes: Any) -> ms.Study:
    """The study with another scenario."""
    return study.with_scenario("other", **({"keys": KEYS} | changes))


def find_families(study: ms.Study) -> object:
    return study._find_families(study.scenario("other"), study.engine)


def ordered(study: ms.Study) -> ms.Study:
    """The same records, numbered."""
    from pyspark.sql import functions as sf

    from microsafe.engine.spark import SparkEngine
    from microsafe.engine.spark.source import SparkSource

    base = study.engine.data.rows.base.withColumn("o0", sf.monotonically_increasing_id())  # type: ignore[attr-defined]
    source = SparkSource(schema=study.schema, frame=base, order=("o0",))
    return ms.Study(engine=SparkEngine(source, most_cells=50))


def returns(folder: Path) -> ms.Study:
    (folder / "old.csv").write_bytes(b"a,b\r1,2\r3,4\r")
    return ms.study(folder / "old.csv", engine="spark")


def zipped(folder: Path) -> ms.Study:
    pack_pieces(folder / "lfs.csv.zip", [b"a,b\n1,2\n3,4\n"])
    return ms.study(folder / "lfs.csv.zip", engine="spark")


EXPORTS: dict[str, tuple[str, dict[str, Any]]] = {
    "pandas.csv": (",a,b\n0,1,2\n1,3,4\n", {}),
    "r.csv": ('"a" "b"\n"1" 1 2\n"2" 3 4\n', {}),
    "empty.csv": ("a,,b,\n1,,2,\n3,,4,\n", {}),
    "years.csv": ("region,2019,2020\nBern,1,2\nThun,3,4\n", {}),
    "comments.csv": ('# "x\n\na,b\n1,2\n#z\n"x\n# y",4\n', {"comment": "#"}),
    "packed.csv.gz": ("a,b\n1,é\n3,4\n", {}),
    "mixed.csv": ("a,b\n1,x\n2,y\nnone at all,z\n", {}),
}


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("name", EXPORTS)
def test_exports_are_read_alike(tmp_path: Path, name: str) -> None:
    text, options = EXPORTS[name]
    path = tmp_path / name
    pack_pieces(path, [text.encode()])
    here, far = (ms.study(path, engine=each, **options) for each in ("local", "spark"))
    assert far.schema == here.schema
    assert far.notices == here.notices
    for each in here.schema.names:
        assert sorted(far.engine.categories(each)) == sorted(here.engine.categories(each))
    with pytest.raises(MicrosafeError, match="cannot be written by Spark"):
        far.write(tmp_path / "safe.csv.gz")
    found = [[(e.name, e.numbers, e.texts) for e in each.describe()] for each in (here, far)]
    assert found[0] == found[1]


@pytest.mark.usefixtures("spark")
def test_every_gap_is_tried() -> None:
    from microsafe.engine.spark import SparkEngine

    assert set(SparkEngine.gaps) <= set(ACTS)
    assert not LocalEngine.gaps


@pytest.mark.parametrize("act", ACTS)
def test_what_is_refused_is_declared(
    spark: Any, frame: pl.DataFrame, act: str, tmp_path: Path
) -> None:
    study = ms.study(
        spark.createDataFrame(frame.to_arrow()),
        keys=KEYS,
        weight="weight",
        estimator="cell",
        engine="spark",
        most_cells=50,
    )
    gap = study.engine.gaps.get(act)
    if gap is None:
        ACTS[act](study, tmp_path)
        return
    assert gap.reason
    with pytest.raises(gap.error, match=gap.words) as caught:
        ACTS[act](study, tmp_path)
    assert caught.type is gap.error


@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        ("nowhere.parquet", {}, "nowhere.parquet does not exist"),
        ("no_such_table", {}, "Table no_such_table cannot be read"),
        ([1, 2], {}, "list is not a Spark frame"),
        ("people", {"sheet": "a"}, "sheet cannot be given for a table"),
        ("people", {"most_cells": 0}, "at least 1"),
        ("people", {"master": "local[7]"}, "local\\[2\\] is active, so local\\[7\\]"),
    ],
)
def test_what_cannot_be_opened(
    spark: Any, data: object, options: dict[str, Any], words: str, tmp_path: Path
) -> None:
    spark.createDataFrame([(1,)], "x int").createOrReplaceTempView("people")
    with pytest.raises(MicrosafeError, match=words):
        ms.study(data, **options, engine="spark")


def test_a_spark_frame_is_not_read_by_accident(spark: Any) -> None:
    with pytest.raises(ms.UsageError, match="give engine='spark' too"):
        ms.study(spark.createDataFrame([(1,)], "x int"))


@pytest.mark.usefixtures("spark")
def test_functions_of_records_run_in_this_python(tmp_path: Path) -> None:
    """Whatever else `python3` is on the path."""
    code = (
        "from microsafe.engine.spark.session import session;"
        "print(session('local[1]').sparkContext.pythonExec)"
    )
    surroundings = {name: each for name, each in os.environ.items() if name != "PYSPARK_PYTHON"}
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env=surroundings,
    )
    assert found.stdout.strip() == sys.executable


def test_text_weights_and_hostile_names(spark: Any) -> None:
    frame = pl.DataFrame(
        {
            "a.b`c": ["x", "x ", "y", " ", None, "x"],
            "A.B`C": [1.0, 2.0, 2.0, float("nan"), 1.0, 1.0],
            "risk": ["1,5", " 2", "10,25", "3", "4", "2"],
        }
    )
    options: dict[str, Any] = {"keys": ["a.b`c", "A.B`C"], "weight": "risk"}
    one = ms.study(spark.createDataFrame(frame.to_arrow()), **options, engine="spark")
    other = ms.study(frame, **options)
    assert one.risk().summary() == other.risk().summary()
    assert one.risk().cells().equals(other.risk().cells())
    assert there(one.risk().records()).columns == [
        "a.b`c",
        "A.B`C",
        "variable_risk",
        "f",
        "F",
        "risk",
        "risk_cell",
    ]
    for spoilt, words in (
        (["1,000", "2,000"] * 3, "commas"),
        (["secret"] * 6, "text .* 6 records"),
    ):
        wrong = spark.createDataFrame(frame.with_columns(pl.Series("risk", spoilt)).to_arrow())
        with pytest.raises(ms.InputError, match=words) as caught:
            ms.study(wrong, **options, engine="spark").risk()
        assert "secret" not in str(caught.value)


def test_keys_of_every_kind(spark: Any) -> None:
    rows = range(40)
    frame = pl.DataFrame(
        {
            "decimal": pl.Series([Decimal(row % 3) / 2 for row in rows], dtype=pl.Decimal(10, 2)),
            "date": [dt.date(2020, 1, 1 + row % 2) for row in rows],
            "time": [dt.datetime(2020, 1, 1, row % 3) for row in rows],
            "flag": [None if row % 9 == 0 else row % 4 == 1 for row in rows],
            "small": pl.Series([row % 5 / 2 for row in rows], dtype=pl.Float32),
            "list": [[row] for row in rows],
        }
    )
    given = spark.createDataFrame(frame.to_arrow())
    keys = frame.columns[:-1]
    one = ms.study(given, keys=keys, engine="spark")
    other = ms.study(frame, keys=keys)
    assert one.engine.describe() == other.engine.describe()
    assert one.risk().summary() == other.risk().summary()
    assert one.risk().cells().equals(other.risk().cells())
    safe, wanted = (each.suppress(k=2) for each in (one, other))
    assert safe.steps == wanted.steps
    assert safe.risk().cells().equals(wanted.risk().cells())
    coarse, rough = (each.round("decimal", 1) for each in (one, other))
    assert coarse.risk().cells().equals(rough.risk().cells())
    for study in (one, other):
        with pytest.raises(ms.InputError, match="holds lists"):
            study.with_scenario("l", keys=["list"]).risk("l")


def test_spark_that_fails_quotes_no_record(spark: Any, frame: pl.DataFrame) -> None:
    from pyspark.sql import functions as sf

    given = spark.createDataFrame(frame.to_arrow())
    broken = given.withColumn("age", sf.col("region").cast("int"))  # R7 is no number
    with pytest.raises(ms.InputError, match="Spark failed") as caught:
        opened(broken).risk()
    assert caught.value.__context__ is None


@pytest.mark.parametrize("few", [0, 4000])
def test_sums_of_weights_are_exact_in_any_partitioning(
    spark: Any, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr("microsafe.engine.spark.engine.FEW_RECORDS", few)
    rng = np.random.default_rng(1)
    weights = 1 + rng.gamma(2, 1e5, 4000) / 3
    frame = pl.DataFrame({"k": rng.integers(0, 5, 4000), "w": weights})
    here = ms.study(frame, keys=["k"], weight="w", estimator="cell").engine
    scenario = ms.Scenario(keys=("k",), weight="w", estimator="cell")
    wanted = here.cells(scenario).weight.tolist()
    for partitions in (1, 3, 7):
        given = spark.createDataFrame(frame.to_arrow()).repartition(partitions)
        there_ = ms.study(given, keys=["k"], weight="w", estimator="cell", engine="spark").engine
        assert there_.cells(scenario).weight.tolist() == wanted
        facts = there_.weight_facts(scenario)
        assert facts is not None
        assert facts.median == np.median(weights)


def test_no_pyspark_and_no_java(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from microsafe.engine.spark import java

    monkeypatch.setattr(java, "release_of", lambda _: 8)
    monkeypatch.setattr(java, "_find_bundled", lambda: None)
    with pytest.raises(ms.InputError, match="Spark needs Java 17 or later"):
        java.provide_java()
    monkeypatch.setattr("microsafe.engine.open.find_spec", lambda _: None)
    with pytest.raises(ms.UsageError, match=r"needs PySpark 4: pip install 'microsafe\[spark\]'"):
        ms.study("people", engine="spark")


BROKEN_JAVA = """#!/bin/sh
[ "$1" = -version ] && echo 'openjdk version "17.0.1"' >&2 && exit 0
echo 'a line of a record' >&2
exit 1
"""


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
@pytest.mark.parametrize("debug", [False, True])
def test_a_java_that_fails_is_told_in_our_words(spark: Any, tmp_path: Path, debug: bool) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text(BROKEN_JAVA)
    java.chmod(0o700)
    given = os.environ | {"JAVA_HOME": str(tmp_path)} | ({"MICROSAFE_DEBUG": "1"} if debug else {})
    call = "import microsafe as ms; ms.study('people', engine='spark')"
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", call],
        env=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stderr.endswith(
        "InputError: Spark could not be started on this machine: its Java failed. Set "
        "MICROSAFE_DEBUG=1 to see what it says, or JAVA_HOME to use another Java.\n"
    )
    assert ("a line of a record" in ended.stderr) == debug


SILENT = """
import os, sys
from microsafe.engine.spark.session import _silence_java
if "closed" in sys.argv:
    os.close(2)
with _silence_java():
    os.write(2, b"not to be seen")
try:
    os.write(2, b"seen")
except OSError:
    print("closed", end="")
"""


@pytest.mark.parametrize(("state", "wanted"), [("open", ("", "seen")), ("closed", ("closed", ""))])
def test_silence_ends_when_java_runs(spark: Any, state: str, wanted: tuple[str, str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SILENT, state],
        capture_output=True,
        text=True,
        check=True,
    )
    assert (ended.stdout, ended.stderr) == wanted


def test_java_of_the_wheel(spark: Any) -> None:
    from microsafe.engine.spark import java

    home = java._find_bundled()
    assert home is not None
    assert java.release_of(str(home / "bin" / "java")) >= 17
    assert java.release_of(str(home / "bin" / "none")) == 0


LOCAL_ALONE = """
import sys, microsafe as ms
study = ms.study("in.csv", keys=["region", "sex", "age"], weight="weight")
safe = study.recode("age", breaks=[0, 30, 60]).suppress(k=2)
safe.risk(), safe.compare(), safe._check_output("out.csv"), safe.write("out.csv")
from microsafe.cli import main
assert main(["risk", "in.csv", "--keys", "region,sex", "--records", "records.csv"]) == 0
loaded = [name for name in sys.modules if "spark" in name]
assert not loaded, loaded
"""


def test_a_local_file_never_passes_through_spark(frame: pl.DataFrame, tmp_path: Path) -> None:
    frame.write_csv(tmp_path / "in.csv")
    subprocess.run([sys.executable, "-c", LOCAL_ALONE], check=True, cwd=tmp_path)


MOST_QUERIES = 40  # of a release; each costs more than these records


def test_a_plan_with_a_sample_on_both_engines(
    spark: Any, frame: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from microsafe.engine.spark import queries as watching
    from microsafe.engine.spark import rows, writing

    queries: list[object] = []

    def count(*asked: Any) -> Any:
        queries.append(asked)
        return watching.watch_query(*asked)

    for module in (rows, writing):
        monkeypatch.setattr(module, "watch_query", count)
    folder = tmp_path / "people"
    folder.mkdir()
    for place, part in enumerate(frame.iter_slices(60)):
        part.write_parquet(folder / f"part-{place}.parquet")
    frame.write_parquet(tmp_path / "people.parquet")
    locks = []
    for name, engine in (("people", "spark"), ("people.parquet", "local")):
        plan = tmp_path / f"{engine}.toml"
        plan.write_text(
            f"""microsafe = 1
[input]
file = "{name}"
[scenario]
keys = ["region", "sex", "age"]
weight = "weight"
estimator = "cell"
household = "household"
[policy]
override = {{ estimator = "few records" }}
[[step]]
do = "sample"
fraction = 0.5
seed = 3
household = "household"
[[step]]
do = "suppress"
k = 3
{DECIDED}
file = "{engine}.safe.parquet"
report = "{engine}.html"
"""
        )
        queries.clear()
        assert main(["protect", str(plan), "--engine", engine]) == 0
        assert len(queries) <= (MOST_QUERIES if engine == "spark" else 0)
        assert main(["replay", str(plan), "--check", "--engine", engine]) == 0
        locks.append(json.loads(plan.with_suffix(".lock").read_text("utf-8")))
    assert locks[0]["steps"] == locks[1]["steps"]
    assert locks[0]["risk"] == locks[1]["risk"]
    one, other = (pl.read_parquet(tmp_path / f"{each}.safe.parquet") for each in ("spark", "local"))
    assert one.equals(other)


def test_variables_are_looked_at_together_as_each_alone(spark: Any) -> None:
    rows = pl.int_range(40, eager=True)
    table = pl.DataFrame(
        {
            "byte": (rows % 3).cast(pl.Int8),
            "short": (rows % 5).cast(pl.Int16),
            "int": rows.cast(pl.Int32),
            "long": pl.Series([None, 2**60] * 20),
            "float": (rows / 10).cast(pl.Float32),
            "double": pl.Series([0.0, -0.0, 0.1, None] * 10),
            "decimal": rows.cast(pl.Decimal(10, 2)),
            "date": pl.select(pl.date(2000, 1, 1) + pl.duration(days=rows % 4)).to_series(),
            "flag": rows % 2 == 0,
            "text": pl.Series(["1", "1.0", " 1", None] * 10),
        }
    )
    given = spark.createDataFrame(table.to_arrow())
    one, other = (ms.study(given, keys=["byte"], engine="spark").engine for _ in range(2))
    other._know_values(other.schema.names)  # type: ignore[attr-defined]
    for name in one.schema.names:
        assert other._known[name].equals(one.values(name))  # type: ignore[attr-defined]
        assert other._known[name].dtype == one.values(name).dtype  # type: ignore[attr-defined]
    (alone,) = one.summaries(["double"])  # type: ignore[attr-defined]
    assert (alone.distinct, alone.missing) == (2, 10)
    assert alone in one.describe()
    found = [(each.distinct, each.missing) for each in one.describe()]
    here = [(each.distinct, each.missing) for each in ms.study(table).engine.describe()]
    assert found == here
    one = ms.study(given, keys=["byte"], engine="spark", most_cells=30).engine
    with pytest.raises(ms.InputError, match="has more than 30 distinct values"):
        list(one.columns(Selection(forms={"int": "code", "byte": "code"}, identifier="int")))


def test_times_are_counted_and_written_as_in_the_embedded_engine(
    spark: Any, tmp_path: Path
) -> None:
    lengths = [dt.timedelta(hours=126), dt.timedelta(seconds=-1.5), None, dt.timedelta(hours=26)]
    table = pl.DataFrame({"t": [dt.time(9, 30), None, dt.time(0), dt.time(9, 30)], "d": lengths})
    path, safe = tmp_path / "times.xlsx", tmp_path / "safe.xlsx"
    ms.study(table.with_columns(n=1)).write(path)
    one, other = (ms.study(path, keys=["t", "d"], engine=each) for each in ("spark", "local"))
    assert one.schema == other.schema
    for name in ("t", "d"):
        assert list(one.engine.categories(name)) == list(other.engine.categories(name))
    assert one.risk().expected == other.risk().expected
    one.write(safe)
    assert ms.study(safe).frame.select("t", "d").equals(table.cast({"d": pl.Duration("ms")}))
    table.write_parquet(tmp_path / "times.parquet")
    with pytest.raises(
        ms.InputError, match=r"times\.parquet has times of day, which Spark does not"
    ):
        ms.study(str(tmp_path / "times.parquet"), engine="spark")


def test_what_values_look_like_is_the_same(spark: Any, tmp_path: Path) -> None:
    rows = pl.int_range(50, eager=True)
    pl.DataFrame(
        {
            "sex": rows % 2,
            "contact": pl.select(pl.format("p{}@example.org", rows)).to_series(),
            "name": ["Åsa Ek ", "José Rossi"] * 25,
            "birth": pl.select(pl.date(1990, 1, 2) + pl.duration(days=rows)).to_series(),
            "street": pl.select(pl.format("Hauptstraße {}", rows)).to_series(),
            "wage": rows * 1234567.25 + 0.01,
            "lat": rows / 7,
            "pnr": 198001010000 + rows,
            "gap": pl.Series([None, "x"] * 25, dtype=pl.String),
        }
    ).write_parquet(tmp_path / "people.parquet")
    here = ms.study(tmp_path / "people.parquet", keys=["sex"])
    there = ms.study(tmp_path / "people.parquet", keys=["sex"], engine="spark")
    found = [replace(each, falls=None) for each in here.engine.traits()]
    assert list(there.engine.traits()) == found
    one, other = here.inventory(), there.inventory()
    assert [each.findings for each in one.rows] == [each.findings for each in other.rows]
    assert one.barred == other.barred == ("contact", "street", "pnr")
    with pytest.raises(ms.InputError, match="direct identifiers"):
        there.write(tmp_path / "safe.parquet")
