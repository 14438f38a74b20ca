"""Keys that a file proposes, on the command line."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from microsafe.cli import main

KEYS = ["region", "sex", "age", "marital", "citizenship", "education", "occupation", "hsize"]


def test_describe_lists_the_keys_with_reasons(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["describe", str(survey)]) == 0
    lines = capsys.readouterr().out.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("Keys proposed"))
    listed = [line.split() for line in lines[start + 2 : start + 10]]
    assert [each[0] for each in listed] == KEYS
    assert all(line.endswith(".") for line in lines[start + 2 : start + 10])


def test_the_inventory_tells_the_guess(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inventory", str(survey), "--json"]) == 0
    found = {each["name"]: each for each in json.loads(capsys.readouterr().out)["variables"]}
    assert found["age"]["guess"]["role"] == "key"
    assert found["income"]["guess"] == {
        "role": "other",
        "meaning": "income or wealth",
        "sensitive": True,
        "reason": "Its name says that it is the income or wealth.",
        "place": None,
    }


def test_a_plan_without_keys_takes_those_proposed(survey: Path) -> None:
    plan = survey.parent / "plan.toml"
    assert main(["plan", "new", str(survey), "--above", "5%", "-o", str(plan)]) == 0
    text = plan.read_text()
    scenario = tomllib.loads(text)["scenario"]
    assert scenario["keys"] == KEYS
    assert (scenario["weight"], scenario["household"]) == ("weight", "household")
    assert "# age: Age: " in text
    assert main(["plan", "check", str(plan)]) == 0


def test_a_plan_of_a_file_without_keys_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "numbers.csv"
    path.write_text("id\n" + "".join(f"{n}\n" for n in range(100)))
    assert main(["plan", "new", str(path), "-o", str(tmp_path / "plan.toml")]) == 2
    assert "proposes no keys" in capsys.readouterr().err
