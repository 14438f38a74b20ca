"""Plan, report and release of a study, with as little said as can be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.errors import InventoryError
from microsafe.io import digest
from microsafe.plan.model import plan_text

KEYS = ["region", "sex"]
POLICY = ms.Policy(record_risk=0.2)


@pytest.fixture
def study(tmp_path: Path) -> ms.Study:
    path = tmp_path / "lfs.parquet"
    ms.survey(1, households=60).frame.select("region", "sex", "weight", "marital").write_parquet(
        path
    )
    return ms.study(path, keys=KEYS, weight="weight").suppress(0.2)


def files(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


KEEP = {"marital": "nobody outside knows it"}


def test_a_plan_needs_no_word(study: ms.Study, tmp_path: Path) -> None:
    plan = study.plan()
    assert (plan.input.file, plan.output.file) == ("lfs.parquet", "lfs-safe.parquet")
    named = study.plan(tmp_path / "lfs-safe.parquet", shuffle=plan.output.shuffle)
    assert plan == named
    assert 'file = "lfs-safe.parquet"' in str(plan)
    assert str(plan.output.shuffle) not in str(plan)
    assert str(plan) == plan_text(plan, hide_seeds=True)
    assert "[[step]]" in plan._repr_html_()


def test_a_release_needs_a_folder_and_a_policy(study: ms.Study, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with pytest.raises(InventoryError, match="marital"):
        study.release(folder, policy=POLICY)
    assert not folder.exists()
    refused = study.release(folder, policy=ms.Policy(record_risk=1e-6), keep=KEEP)
    assert (refused.allowed, folder.exists()) == (False, False)
    assert "not met" in repr(refused)
    done = study.release(folder, policy=POLICY, keep=KEEP)
    assert done.allowed
    assert files(folder) == {
        "lfs-safe.parquet", "lfs-safe.toml", "lfs-safe.lock", "lfs-safe.seeds", "report.html",
        "public.html",
    }  # fmt: skip
    assert main(["replay", str(folder / "lfs-safe.toml"), "--check"]) == 0
    released = pl.read_parquet(folder / "lfs-safe.parquet")
    order = released.columns
    assert released.sort(order).equals(study.to_polars().select(order).sort(order))
    for word in ("Released", "lfs-safe.parquet", "record_risk (main)"):
        assert word in repr(done)
        assert word in done._repr_html_()


def test_a_format_that_cannot_be_written_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "lfs.sas7bdat"
    study = ms.study(_parquet(tmp_path), keys=KEYS)
    study = ms.Study(engine=study.engine, scenarios=study.scenarios, _input={"file": path})
    path.write_bytes(b"x")
    assert study.plan().output.file == "lfs-safe.xpt"


def _parquet(folder: Path) -> Path:
    path = folder / "a.parquet"
    ms.survey(1, households=30).frame.write_parquet(path)
    return path


@pytest.mark.parametrize("name", ["board.html", "board.docx"])
def test_a_report_needs_a_path(study: ms.Study, tmp_path: Path, name: str) -> None:
    before = files(tmp_path)
    done = study.report(tmp_path / name, policy=POLICY, keep=KEEP)
    assert done.allowed
    assert files(tmp_path) - before >= {name}
    assert not any("lfs-safe" in each for each in files(tmp_path))


def test_the_board_reads_what_is_not_met_and_the_public_does_not(
    study: ms.Study, tmp_path: Path
) -> None:
    strict = ms.Policy(record_risk=1e-6)
    done = study.report(tmp_path / "board.html", policy=strict)
    assert not done.allowed
    assert "not met" in (tmp_path / "board.html").read_text("utf-8")
    with pytest.raises(ms.UsageError, match="no release to tell the public of"):
        study.report(tmp_path / "public.html", audience="public", policy=strict)
    assert not (tmp_path / "public.html").exists()
    study.report(tmp_path / "public.html", audience="public", policy=POLICY, keep=KEEP)
    assert (tmp_path / "public.html").exists()


KINDS = {
    "polars": lambda frame: frame,
    "pandas": lambda frame: frame.to_pandas(),
    "arrow": lambda frame: frame.to_arrow(),
}


def protect(frame: object) -> ms.Study:
    study = ms.study(frame, keys=KEYS, weight="weight")
    return study.pram("marital", seed=2).suppress(0.2)


@pytest.fixture
def frame() -> pl.DataFrame:
    return ms.survey(1, households=60).frame.select("region", "sex", "weight", "marital")


def test_a_frame_has_a_plan_and_leaves_nothing(frame: pl.DataFrame, tmp_path: Path) -> None:
    plan = protect(frame).plan()
    assert (plan.input.file, plan.output.file) == ("frame.parquet", "frame-safe.parquet")
    ms.study(frame).write(tmp_path / "frame.parquet")
    assert plan.input.sha256 == digest(tmp_path / "frame.parquet")
    assert protect(frame[::-1]).plan().input.sha256 != plan.input.sha256
    assert not Path("frame.parquet").exists()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_is_released_without_a_trace_of_the_input(
    frame: pl.DataFrame, kind: str, tmp_path: Path
) -> None:
    study, folder = protect(KINDS[kind](frame)), tmp_path / "out"
    done = study.release(folder, policy=POLICY, keep=KEEP)
    assert done.allowed
    stem = "frame-safe"
    assert files(folder) == {
        f"{stem}.parquet", f"{stem}.toml", f"{stem}.lock", f"{stem}.seeds", "report.html",
        "public.html",
    }  # fmt: skip
    assert files(tmp_path) == {"out"}
    released = pl.read_parquet(folder / f"{stem}.parquet")
    order = released.columns
    assert released.sort(order).equals(study.to_polars().select(order).sort(order))
    assert main(["replay", str(folder / f"{stem}.toml"), "--check"]) != 0  # the input is not there
    ms.study(KINDS[kind](frame)).write(folder / "frame.parquet")
    assert main(["replay", str(folder / f"{stem}.toml"), "--check"]) == 0


@pytest.mark.slow
def test_the_input_is_kept_where_it_is_told_to(frame: pl.DataFrame, tmp_path: Path) -> None:
    safe, kept = tmp_path / "out", tmp_path / "vault" / "lfs.parquet"
    kept.parent.mkdir()
    options: dict[str, Any] = {"keep": KEEP, "input": kept, "file": "lfs.csv"}
    refused = protect(frame).release(safe, policy=ms.Policy(record_risk=1e-6), **options)
    assert (refused.allowed, files(tmp_path), files(kept.parent)) == (False, {"vault"}, set())
    assert protect(frame).release(safe, policy=POLICY, **options).allowed
    assert 'file = "../vault/lfs.parquet"' in (safe / "lfs.toml").read_text("utf-8")
    assert pl.read_parquet(kept).equals(frame)
    assert main(["replay", str(safe / "lfs.toml"), "--check"]) == 0


@pytest.mark.slow
def test_an_input_is_never_written_over(
    frame: pl.DataFrame, study: ms.Study, tmp_path: Path
) -> None:
    kept, safe = tmp_path / "kept.parquet", tmp_path / "out"
    frame.head(9).write_parquet(kept)
    before = kept.read_bytes()
    for place, problem in (
        (kept, "kept.parquet already exists"),
        (tmp_path / "kept.csv", "kept as Parquet"),
        (safe / "frame-safe.parquet", "the name of another file"),
        (tmp_path / "no" / "kept.parquet", "There is no folder no"),
    ):
        with pytest.raises(ms.MicrosafeError, match=problem):
            protect(frame).release(safe, policy=POLICY, keep=KEEP, input=place)
    assert kept.read_bytes() == before
    assert not safe.exists()
    protect(frame).release(safe, policy=POLICY, keep=KEEP, input=safe / "input.parquet")
    assert main(["replay", str(safe / "frame-safe.toml"), "--check"]) == 0
    with pytest.raises(ms.UsageError, match="is a file already"):
        study.release(safe, policy=POLICY, keep=KEEP, input=kept)


def test_what_is_said_of_a_frame_is_in_the_plan_and_not_in_the_input(tmp_path: Path) -> None:
    frame = ms.survey(1, households=60).frame.select("region", "sex", "age", "weight")
    age = pl.when(pl.col("age") > 90).then(pl.lit("NA")).otherwise(pl.col("age").cast(pl.String))
    frame = frame.with_columns(age.alias("age"))
    said = {"age": ms.Declaration(type="number", missing=("NA",), label="Age in years")}
    study = ms.study(frame, keys=["region", "sex", "age"], weight="weight", variables=said)
    study = study.recode("age", [0, 30, 60]).suppress(0.2)
    assert study.release(tmp_path / "out", policy=POLICY, keep_order="For a test").allowed
    toml = tmp_path / "out" / "frame-safe.toml"
    assert "[variables.age]" in toml.read_text("utf-8")
    ms.study(frame).write(tmp_path / "out" / "frame.parquet")
    assert main(["replay", str(toml), "--check"]) == 0
    released = pl.read_parquet(tmp_path / "out" / "frame-safe.parquet")
    assert released.equals(study.to_polars())


def test_a_frame_has_a_report(frame: pl.DataFrame, tmp_path: Path) -> None:
    done = protect(frame).report(tmp_path / "board.html", policy=POLICY, keep=KEEP)
    assert done.allowed
    assert files(tmp_path) == {"board.html"}
    assert str(tmp_path) not in (tmp_path / "board.html").read_text("utf-8")
