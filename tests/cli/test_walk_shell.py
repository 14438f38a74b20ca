"""The whole job in a shell: from a messy CSV to a release, and no TOML written by hand."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

PROGRAM = Path(sys.executable).with_name("microsafe")

pytestmark = pytest.mark.skipif(
    not shutil.which("bash") or not PROGRAM.exists(), reason="needs bash and the program"
)


def write_messy(path: Path) -> None:
    """Semicolons, an old encoding, NA and dots for missing, leading zeros, names, remarks."""
    rng = random.Random(7)
    names = ("Müller, Jörg", "Øst, Ida", "Smith, Ann", "Núñez, José", "Weiß, Eva")
    lines = ["person_id;name;household;region;sex;age;marital;birth_date;income;comment;weight"]
    for n in range(900):
        age = rng.randint(0, 89)
        lines.append(
            ";".join(
                (
                    f"P{n:05}",
                    f'"{rng.choice(names)} {n}"',
                    f"{n // 3 + 1}",
                    f"{rng.randint(1, 6):02}",
                    rng.choice(("1", "2")),
                    "NA" if rng.random() < 0.02 else str(age),
                    rng.choice(("1", "1", "2", "3", ".")),
                    f"{2020 - age}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
                    "" if rng.random() < 0.05 else f"{rng.lognormvariate(7, 0.5):.2f}",
                    rng.choice(
                        (
                            "called twice, nobody at home",
                            "moved here in 2011 from the north",
                            "the dog barked all the time",
                            "works as mayor of the town",
                        )
                    ),
                    f"{rng.randint(4, 40)}",
                )
            )
        )
    path.write_bytes("\r\n".join([*lines, ""]).encode("windows-1252"))


class Shell:
    """A person at a prompt of bash."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        path = f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"
        self.environment = {**os.environ, "PATH": path}
        self.environment.pop("FORCE_COLOR", None)

    def run(self, line: str, code: int = 0) -> tuple[str, str]:
        done = subprocess.run(
            ["bash", "--norc", "-c", line],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
        assert done.returncode == code, f"{line}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr
        assert "\x1b" not in done.stdout + done.stderr
        return done.stdout, done.stderr

    def json(self, line: str, code: int = 0) -> dict[str, object]:
        found: dict[str, object] = json.loads(self.run(f"{line} --json", code)[0])
        return found


@pytest.mark.slow
def test_from_csv_to_release(tmp_path: Path) -> None:
    write_messy(tmp_path / "people.csv")
    shell = Shell(tmp_path)
    read = "people.csv --na NA,."
    assert "examples:" in shell.run("microsafe")[0]

    # What is in the file? The keys that are proposed are taken over from the answer.
    out, err = shell.run(f"microsafe describe {read}")
    assert err.startswith("note: people.csv is not UTF-8 and was read as windows-1252.")
    assert "900 records, 11 variables" in out
    described = shell.json(f"microsafe describe {read}")
    roles = {each["name"]: each["role"] for each in described["variables"]}  # type: ignore[attr-defined]
    assert (roles["household"], roles["weight"]) == ("household", "weight")
    assert roles["birth_date"] == "identifier"
    assert {roles[name] for name in ("region", "sex", "age", "marital")} == {"key"}
    assert roles["comment"] != "key"
    keys = "region,sex,age,marital"
    scenario = f"--keys {keys} --weight weight --household household"
    _, err = shell.run(f"microsafe risk {read} --keys regoin,sex --weight weight", 3)
    assert err == "microsafe: people.csv has no variable 'regoin'. Did you mean 'region'?\n"

    # How risky is it, and what would help?
    risk = shell.json(f"microsafe risk {read} {scenario} --limit 5%")
    assert risk["limit"]["unsafe"] > 0  # type: ignore[index]
    suggested = shell.json(f"microsafe suggest {read} {scenario} --most 3")
    assert len(suggested["suggestions"]) == 3  # type: ignore[arg-type]
    shell.run(f"microsafe suppress {read} {scenario} --above 5% -o x.csv", 1)  # identifiers
    assert not (tmp_path / "x.csv").exists()

    # A plan by options; a second one by search.
    made = shell.json(
        f"microsafe plan new {read} {scenario} --profile scientific --above 5% "
        "--step 'recode variable=age breaks=0,15,30,45,60,75' "
        "--step 'noise variables=income' --drop comment,birth_date "
        "--why 'A neighbour who knows these facts' -o plan.toml"
    )
    assert made["undecided"] == []
    out, _ = shell.run("microsafe plan check plan.toml")
    assert "To be decided" not in out
    proposed = shell.json("microsafe propose plan.toml -o proposed.toml")
    assert proposed["status"] in ("proved", "found")

    # The release.
    out, err = shell.run("microsafe protect proposed.toml")
    assert "Written, read back and measured again: people-safe.csv" in out
    assert "not met" not in out
    safe = pl.read_csv(
        tmp_path / "people-safe.csv", separator=";", encoding="windows-1252", infer_schema=False
    )
    assert safe.height == 900
    assert not {"name", "comment", "birth_date"} & set(safe.columns)
    assert set(safe["region"].drop_nulls()) <= {f"{n:02}" for n in range(1, 7)} | {"left out"}
    lock = json.loads((tmp_path / "proposed.lock").read_text())
    assert all(each["met"] for each in lock["verdicts"])
    assert shell.json("microsafe replay proposed.toml --check")["same"] is True
    report = shell.json("microsafe report proposed.toml -o public.html --audience public")
    assert report == {"audience": "public", "files": ["public.html"], "allowed": True}

    # What was changed afterwards shows.
    with (tmp_path / "people-safe.csv").open("ab") as file:
        file.write(b"\n")
    differs = shell.json("microsafe replay proposed.toml --check", 1)
    assert "file people-safe.csv on disk" in differs["differs"]  # type: ignore[operator]
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {
        "people.csv", "plan.toml", "proposed.toml", "proposed.seeds", "proposed.lock",
        "people-safe.csv", "report.html", "public.html",
    }  # fmt: skip
