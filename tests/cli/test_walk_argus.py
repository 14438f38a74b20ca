"""A user of mu-ARGUS in the shell: `.asc`, `.rda` and `.grc` in, safe file and reports out."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microsafe as ms
from microsafe.io import read

RDA = """REGION 1 3 "99"
  <RECODABLE>
  <CODELIST> "region.cdl"
  <IDLEVEL> 1
  <SUPPRESSWEIGHT> 100
SEX 4 1 "9"
  <RECODABLE>
  <IDLEVEL> 2
  <SUPPRESSWEIGHT> 50
AGE 5 3 "999"
  <RECODABLE>
  <IDLEVEL> 3
  <SUPPRESSWEIGHT> 25
  <RELATED> BORN
MARSTAT 8 1 "9"
  <RECODABLE>
  <IDLEVEL> 3
BORN 9 4 "9999"
HH 13 5
  <HOUSE_ID>
INCOME 18 7 "9999999"
  <NUMERIC>
WEIGHT 25 8
  <NUMERIC>
  <DECIMALS> 2
  <WEIGHT>
"""
PLACES = {"region": 3, "sex": 1, "age": 3, "marital": 1, "born": 4, "household": 5, "income": 7}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What mu-ARGUS works with: data of fixed width, metadata, a code list, a recode."""
    where = tmp_path_factory.mktemp("argus")
    frame = ms.survey(3, households=260).frame.with_columns(born=2026 - pl.col("age"))
    frame = frame.with_columns(pl.col("marital").rank("dense"))
    texts = [
        frame[name].cast(pl.String).fill_null("").str.pad_start(w) for name, w in PLACES.items()
    ]
    weights = [f"{weight:8.2f}" for weight in frame["weight"]]
    lines = ["".join(parts) for parts in zip(*texts, weights, strict=True)]
    (where / "demo.asc").write_text("\r\n".join(lines) + "\r\n", newline="")
    (where / "demo.rda").write_text(RDA)
    codes = sorted(frame["region"].unique(), key=str)
    (where / "region.cdl").write_text("".join(f'{code},"Region {code}"\n' for code in codes))
    half = len(codes) // 2
    north, south = codes[:half], codes[half:]
    (where / "region.grc").write_text(
        f"1:{','.join(map(str, north))}\n2:{','.join(map(str, south))}\n"
        '<MISSING> "9"\n<CODELIST> "parts.cdl"\n'
    )
    (where / "parts.cdl").write_text('1,"North"\n2,"South"\n')
    return where


def shell(folder: Path, command: str, *, code: int = 0) -> str:
    """Run a command line of microsafe as a shell would, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "microsafe", *shlex.split(command)],
        cwd=folder, capture_output=True, text=True, timeout=250, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    return done.stdout


def ask(folder: Path, command: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(shell(folder, f"{command} --json"))
    return found


@pytest.mark.slow
def test_the_whole_job_of_a_user_of_mu_argus(folder: Path) -> None:
    # Open: the metadata say what the variables are for.
    roles = {each["name"]: each["role"] for each in ask(folder, "describe demo.asc")["variables"]}
    assert roles["WEIGHT"] == "weight"
    assert roles["HH"] == "household"
    assert {name for name, role in roles.items() if role == "key"} >= {"REGION", "SEX", "AGE"}

    # Combinations, by identification level and by code of a variable, as in the main window.
    found = ask(folder, "combinations demo.asc --k 4 --by-code REGION")
    assert set(found["by_size"]) <= {"1", "2", "3"}
    assert found["by_key"]["AGE"] > 0
    assert len(found["by_code"]) > 1
    assert found["declared"] == {"levels": {"REGION": 1, "SEX": 2, "AGE": 3, "MARSTAT": 3}}

    # Individual and household risk.
    risk = ask(folder, "risk demo.asc --one-estimator")
    assert risk["household"] is not None
    assert 0 < ask(folder, "limit demo.asc --rate 1% --one-estimator")["limit"] < 1

    # Global recode by a .grc file, which comes out as a step for a plan, too.
    recoded = ask(folder, "recode demo.asc --variable REGION --grc region.grc -o recoded.asc")
    assert recoded["categories"]["after"] == 2
    assert "<IDLEVEL> 1" in (folder / "recoded.rda").read_text()

    # Local suppression: levels, costs and related variables by the metadata, and said aloud.
    blanked = ask(folder, "suppress recoded.asc --k 4 --one-estimator -o work.asc")
    assert blanked["declared"] == {
        "levels": {"REGION": 1, "SEX": 2, "AGE": 3, "MARSTAT": 3},
        "cost": {"REGION": 2.0, "SEX": 1.0, "AGE": 0.5},
        "linked": {"AGE": ["BORN"]},
    }
    assert blanked["blanks"]["AGE"] == blanked["linked"]["BORN"] > 0
    assert blanked["blanks"]["AGE"] > blanked["blanks"]["REGION"]
    work = read(folder / "work.asc").load(["AGE", "BORN"])
    missing = work.filter((pl.col("AGE") == "999") | pl.col("AGE").is_null())
    assert set(missing["BORN"]) <= {"9999", None}

    # The same as a plan, with reports, and once more.
    step = shlex.quote(recoded["step"])
    shell(
        folder,
        f"plan new demo.asc --step {step} --above 2% --keep-rest 'Asked for by users' "
        "--keep 'INCOME=Asked for by users' --estimator cell "
        "--override 'estimator=As in mu-ARGUS' -o plan.toml",
    )
    plan = (folder / "plan.toml").read_text()
    assert 'linked = { "AGE" = ["BORN"] }' in plan
    assert '"REGION" = 2.0' in plan
    shell(folder, "protect plan.toml")
    shell(folder, "replay plan.toml")
    shell(folder, "report plan.toml -o board.html")
    for name in ("demo-safe.asc", "demo-safe.rda", "report.html", "public.html", "board.html"):
        assert (folder / name).stat().st_size > 0
    safe = read(folder / "demo-safe.asc")
    assert safe.schema["REGION"].labels == {"1": "North", "2": "South"}
    assert safe.declarations["AGE"].linked == ("BORN",)
    lost = safe.load(["AGE", "BORN"]).filter(pl.col("AGE") == "999")["BORN"]
    assert set(lost) <= {"9999"}
