"""mu-ARGUS on its own demo files: equal where it is exact, off by a known amount elsewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main

KEYS = ["REGION", "SEX", "AGE", "MARSTAT"]


def demo(peers: Path, name: str = "Demodata.asc") -> ms.Study:
    return ms.study(peers / "muargus/demodata" / name, keys=KEYS, weight="WEIGHT", estimator="cell")


def recoded(peers: Path) -> pl.DataFrame:
    """Region.grc and Age.grc applied by hand."""
    frame = demo(peers).engine.table().select(*KEYS, "WEIGHT")
    for name, file in (("REGION", "Region.grc"), ("AGE", "Age.grc")):
        lines = (peers / "muargus/demodata" / file).read_text().splitlines()
        groups = pl.lit(None, pl.String)
        for line in lines:
            if found := re.match(r"\s*(\d+)\s*:\s*(\d*)-(\d*)", line):
                new, low, high = found.groups()
                inside = pl.col(name).cast(pl.Int64).is_between(int(low or 0), int(high or 10**6))
                groups = pl.when(inside).then(pl.lit(new)).otherwise(groups)
        frame = frame.with_columns(groups.alias(name))
    return frame


def check(found: pl.DataFrame, wanted: pl.DataFrame) -> None:
    assert found["f"].to_list() == wanted["f"].to_list()
    np.testing.assert_allclose(found["F"], wanted["F"], rtol=1e-6)
    ratio = wanted["bir"].to_numpy() / found["risk"].to_numpy() - 1
    small = (found["f"] <= 3).to_numpy()
    # Twelve decimals are printed.
    np.testing.assert_allclose(
        wanted["bir"].to_numpy()[small], found["risk"].to_numpy()[small], atol=1e-11
    )
    assert ratio[~small].max(initial=0) < 1e-7
    assert ratio[~small].min(initial=0) > -0.00607


def test_published_figures(peers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = peers / "muargus/demodata/Demodata.asc"
    about = ["--keys", ",".join(KEYS), "--weight", "WEIGHT", "--estimator", "cell"]
    code = main(["risk", str(file), *about, "--limit", "0.00125", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert code == 0
    assert found["risk"]["max"] == pytest.approx(0.04229838335, abs=1e-11)
    assert found["risk"]["expected"] == pytest.approx(78.255015992, abs=5e-10)
    assert found["limit"]["unsafe"] == 3968


def test_every_record(peers: Path) -> None:
    check(demo(peers).risk().records(), pl.read_csv(peers / "muargus/demodata_key4_raw_risk.csv"))


def test_free_format_gives_the_same(peers: Path) -> None:
    fixed, free = demo(peers).risk(), demo(peers, "Demofree.asc").risk()
    assert fixed.expected == free.expected
    assert fixed.records().equals(free.records())


def test_recoded(peers: Path) -> None:
    risk = ms.study(recoded(peers), keys=KEYS, weight="WEIGHT", estimator="cell").risk(
        limit=0.00125
    )
    check(risk.records(), pl.read_csv(peers / "muargus/demodata_key4_recoded_risk.csv"))
    assert risk.limit is not None
    assert risk.limit.unsafe == 397
    # Its eight terms are a little too low: four records just above the limit escape it.
    records = risk.records()
    eight = ms.individual_risk(records["f"], records["F"], approximation="series8")
    theirs = np.where(records["f"] <= 3, records["risk"], eight)
    assert np.count_nonzero(theirs >= 0.00125) == 393
    assert theirs.mean() == pytest.approx(0.00124826, abs=5e-9)
    assert np.minimum(theirs, 0.00125).mean() == pytest.approx(0.000430800, abs=5e-10)
    assert risk.rate == pytest.approx(0.00124826, rel=2e-3)
    assert risk.limit.rate_bound == pytest.approx(0.000430800, rel=2e-3)


def test_households(peers: Path) -> None:
    study = ms.study(
        peers / "muargus/hhdata/Samhh.asc",
        keys=["province", "MarStat", "sex", "age"],
        weight="weight",
        estimator="cell",
        household="hhnum",
    )
    risk = study.risk()
    wanted = pl.read_csv(peers / "muargus/samhh_key4_risk.csv")
    records = risk.records()
    check(records, wanted)
    np.testing.assert_allclose(records["household_risk"], wanted["bhr"], rtol=0.00607)
    assert risk.household is not None
    assert len(risk.household.risk) == 379
    assert risk.household.unsafe(0.13431) == 71
    of_74 = records.filter(wanted["hhnum"] == 74)
    assert of_74["risk"][:2].to_list() == pytest.approx([0.040238671962, 0.146135380971], abs=5e-13)
    # The third member has f = 4, where mu-ARGUS stops after eight terms.
    eight = float(ms.individual_risk(of_74["f"][2], of_74["F"][2], approximation="series8"))
    assert eight == pytest.approx(0.023163578416, abs=5e-13)
    safe = (1 - of_74["risk"][0]) * (1 - of_74["risk"][1]) * (1 - eight)
    assert 1 - safe == pytest.approx(0.199476456345, abs=5e-13)
    assert of_74["household_risk"][0] > 1 - safe


def test_base_risk_function(peers: Path) -> None:
    table = pl.read_csv(peers / "muargus/bir_function.csv").filter(pl.col("F") >= pl.col("f"))
    f, F = table["f"].to_numpy(), table["F"].to_numpy()
    np.testing.assert_allclose(ms.individual_risk(f, F), table["exact_bir_negbin"], rtol=2e-15)
    theirs = table["muargus_bir"].to_numpy()
    four = f >= 4
    eight = ms.individual_risk(f, F, approximation="series8")
    np.testing.assert_allclose(eight[four], theirs[four], rtol=1e-13)


def test_where_muargus_is_wrong(peers: Path) -> None:
    table = pl.read_csv(peers / "muargus/bir_function.csv").filter(pl.col("F") >= pl.col("f"))
    error = (table["muargus_bir"] / ms.individual_risk(table["f"], table["F"]) - 1).abs()
    worst = table.with_columns(error.alias("error")).filter(pl.col("f") == 4)["error"].max()
    assert worst == pytest.approx(0.006, rel=0.02)
    assert error.max() == pytest.approx(1.0)  # 0 instead of 1/3 at f = 3, F = 3.00000001


def test_missing_keys(peers: Path) -> None:
    """Wildcard counting on its file with gaps: some records, each against all others."""
    folder = peers / "muargus/demodata"
    study = ms.study(
        folder / "Demodata_missing3pct.asc",
        keys=KEYS,
        weight="WEIGHT",
        estimator="cell",
        meta=folder / "Demodata.rda",
    )
    records = study.risk().records()
    frame = study.engine.table().select(*KEYS, "WEIGHT")
    gaps = {"REGION": ["9999", "9998"], "SEX": ["9"], "AGE": ["99"], "MARSTAT": ["9"]}
    frame = frame.with_columns(
        pl.when(~pl.col(key).is_in(codes)).then(pl.col(key)).alias(key)
        for key, codes in gaps.items()
    )
    assert frame.null_count().select(KEYS).sum_horizontal()[0] > 100
    for i in range(0, frame.height, 40):
        partners = frame.filter(
            *(
                pl.col(k).is_null() | (pl.col(k) == frame[k][i])
                for k in KEYS
                if frame[k][i] is not None
            )
        )
        assert records["f"][i] == partners.height
        assert records["F"][i] == pytest.approx(partners["WEIGHT"].sum(), rel=1e-12)


def test_one_empty_record_hides_everybody(peers: Path) -> None:
    frame = demo(peers).engine.table().select(*KEYS, "WEIGHT")
    empty = pl.DataFrame(
        {**{key: [None] for key in KEYS}, "WEIGHT": [float(frame["WEIGHT"].median())]},  # type: ignore[arg-type]
        schema=frame.schema,
    )
    before = ms.study(frame, keys=KEYS, weight="WEIGHT", estimator="cell").risk()
    after = ms.study(pl.concat([frame, empty]), keys=KEYS, weight="WEIGHT", estimator="cell").risk()
    assert before.sample_uniques == 3014
    assert after.sample_uniques <= 1
    gaps = ms.study(
        pl.concat([frame, empty]), keys=KEYS, weight="WEIGHT", estimator="cell", alpha=0.0
    ).risk()
    assert gaps.sample_uniques == 3014
    assert "missing-half" in [notice.id for notice in after.notices]


@pytest.mark.slow
def test_a_session_on_its_own_demo_data(
    peers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the files of mu-ARGUS to a protected file, with nothing named that they name."""

    def ask(*command: object) -> Any:
        assert main([*map(str, command), "--json"]) in (0, 1)
        return json.loads(capsys.readouterr().out)

    folder = peers / "muargus/demodata"
    four = ["--keys", ",".join(KEYS), "--weight", "WEIGHT"]
    found = ask("combinations", folder / "Demodata.asc", "--k", 11)  # its threshold 10
    assert len(found["declared"]["levels"]) == 29
    assert set(found["by_size"]) == {"1", "2", "3"}
    made = tmp_path / "recoded.asc"
    region = ["--variable", "REGION", "--grc", folder / "Region.grc", "-o", made]
    recode = ask("recode", folder / "Demodata.asc", *region)
    assert recode["categories"]["after"] == 18
    # The same records are unsafe as by its engine, once age is recoded, too.
    again = tmp_path / "both.asc"
    ask("recode", made, "--variable", "AGE", "--grc", folder / "Age.grc", "-o", again)
    risk = ask("risk", again, *four, "--limit", 0.00125, "--one-estimator")
    assert risk["risk"]["rate"] == pytest.approx(0.00124826, rel=1e-3)
    safe = tmp_path / "safe.asc"
    done = ask("suppress", again, *four, "--k", 11, "--one-estimator", "-o", safe)
    levels = {"REGION": 1, "SEX": 2, "AGE": 3, "MARSTAT": 3}
    assert done["declared"]["levels"] == levels
    left = ms.study(safe, keys=KEYS, weight="WEIGHT", estimator="cell").combinations(k=11)
    before = ms.study(again, keys=KEYS, weight="WEIGHT", estimator="cell").combinations(k=11)
    assert len(before) > 0
    assert left.unsafe_records < before.unsafe_records
    described = safe.with_suffix(".rda").read_text()
    assert "<IDLEVEL>  1" in described
    assert "<SUPPRESSWEIGHT>  50" in described
