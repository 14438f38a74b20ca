"""A release whose weight is changed: file, lock, replay, script, both reports, both languages."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.io import write

STEPS = {
    "round": 'do = "round"\nvariable = "weight"\nbase = 10\n',
    "random": 'do = "round"\nvariable = "weight"\nbase = 10\nrandom = true\nseed = 5\n',
    "microaggregate": 'do = "microaggregate"\nvariables = ["weight"]\nk = 50\n'
    'strata = ["region"]\n',
    "noise": 'do = "noise"\nvariables = ["weight"]\nstrata = ["region"]\nseed = 5\n',
}
PLAN = """
microsafe = 1
[input]
file = "survey.EXT"
[scenario]
keys = ["region", "sex", "age"]
weight = "weight"
estimator = "cell"
household = "household"
[policy]
record_risk = 0.05
override = { estimator = "it is a test", record_risk = "it is a test" }
[[step]]
do = "recode"
variable = "region"
groups = { 1 = [1, 2, 3] }
other = 2
[[step]]
STEP
[[step]]
do = "suppress"
above = 0.05
[[keep]]
variables = ["household", "hsize", "income", "marital", "education", "occupation", "citizenship"]
why = "nobody knows them"
[[keep]]
variables = ["weight"]
why = "it is a test"
[output]
file = "safe.EXT"
shuffle = 3
report = "board.html"
public_report = "public.html"
[report]
language = "LANG"
"""
SAID = {
    "en": ("risk was measured with the weights as they were", "Change of the sum of weights"),
    "de": ("das Risiko wurde mit den Gewichten gemessen", "Änderung der Summe der Gewichte"),
}


@pytest.mark.slow
@pytest.mark.parametrize("language", SAID)
@pytest.mark.parametrize(
    ("step", "extension"),
    [("round", "sav"), ("random", "csv"), ("microaggregate", "parquet"), ("noise", "dta")],
)
def test_release(
    step: str,
    extension: str,
    language: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = ms.survey(1, households=250)
    write(made.frame, made.schema, tmp_path / f"survey.{extension}")
    plan = tmp_path / "plan.toml"
    text = PLAN.replace("EXT", extension).replace("LANG", language)
    plan.write_text(text.replace("STEP\n", STEPS[step]))
    assert main(["protect", str(plan)]) == 0, capsys.readouterr().err
    capsys.readouterr()
    safe = tmp_path / f"safe.{extension}"
    content = safe.read_bytes()
    released = ms.study(safe, keys=["region"]).engine.table()  # type: ignore[attr-defined]
    assert released.columns == made.frame.columns
    weights = released["weight"].cast(pl.Float64)
    assert not np.allclose(np.sort(weights), np.sort(made.frame["weight"]))
    board, public, lock = (
        (tmp_path / name).read_text("utf-8") for name in ("board.html", "public.html", "plan.lock")
    )
    sentence, label = SAID[language]
    assert sentence in board
    assert label in board
    assert label in public
    found = json.loads(lock)
    totals = found["steps"][1]["weight"]
    assert totals["before"] == pytest.approx(made.frame["weight"].sum())
    assert totals["after"] == pytest.approx(weights.sum())
    if step in ("microaggregate", "noise"):
        assert totals["after"] == pytest.approx(totals["before"], rel=1e-6)
        assert totals["largest"] < 1e-4
    unchanged = plan.read_text("utf-8").replace(STEPS[step], 'do = "drop"\nvariables = ["hsize"]\n')
    other = tmp_path / "other"
    other.mkdir()
    (other / "plan.toml").write_text(unchanged.replace('"hsize", "income"', '"income"'))
    (other / f"survey.{extension}").write_bytes((tmp_path / f"survey.{extension}").read_bytes())
    assert main(["protect", str(other / "plan.toml")]) == 0, capsys.readouterr().err
    plain = json.loads((other / "plan.lock").read_text("utf-8"))
    assert found["risk"] == plain["risk"]  # that of the weights as they were
    assert main(["replay", str(plan), "--check"]) == 0
    capsys.readouterr()
    assert main(["protect", str(plan), "--script"]) == 0
    script = capsys.readouterr().out
    monkeypatch.chdir(tmp_path)
    safe.unlink()
    exec(compile(script, "script", "exec"), {})  # noqa: S102
    assert safe.read_bytes() == content


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = ms.survey(1, households=250)
    made.frame.write_csv(tmp_path / "survey.csv")
    options = ["--keys", "region,sex", "--weight", "weight", "-o", str(tmp_path / "out.csv")]
    step = ["--step", "microaggregate variables=weight strata=region k=20"]
    assert main(["apply", str(tmp_path / "survey.csv"), *options, *step]) == 0
    out = capsys.readouterr().out
    assert "Change of the sum of weights: " in out
    assert "Risk was measured with: the weights as they were" in out
    written = pl.read_csv(tmp_path / "out.csv")
    assert written["weight"].sum() == pytest.approx(made.frame["weight"].sum(), rel=1e-6)
    step = ["--step", "round variable=weight base=100000"]
    assert main(["apply", str(tmp_path / "survey.csv"), *options, *step]) == 3
    assert "Round to a smaller base" in capsys.readouterr().err
