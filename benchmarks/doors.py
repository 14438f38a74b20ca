"""The same answer in every door: estimator, limit, keys and verdict of a labour force survey.

    uv run python benchmarks/doors.py [FOLDER]

Writes the survey of tests/files as SPSS, Excel and R's CSV, and asks `check`, `plan new`, `guide`
(which is Python's `ms.guide`, too) and the window's API for each profile. The last column says
whether the doors of a file and profile agree.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import microsafe as ms
from microsafe.app.folders import Folders
from microsafe.app.session import Session
from microsafe.cli import main
from microsafe.guides.guide import begin_guide
from microsafe.options.profiles import PROFILES
from microsafe.plan.open import open_plan
from microsafe.plan.read import read_plan

Answer = tuple[str, float | None, tuple[str, ...], int]


def run(*words: str) -> dict[str, Any]:
    """Run a command, and return its JSON."""
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(StringIO()):
        main([*words, "--json"])
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def ask_doors(path: Path, profile: str) -> dict[str, Answer]:
    """Return estimator, limit, keys and records above the limit, by door."""
    checked = run("check", str(path), "--profile", profile)
    plan = path.parent / f"{path.suffix[1:]}-{profile}.toml"
    words = ["NA"] if path.suffix == ".csv" else []
    run("plan", "new", str(path), "--profile", profile, "-o", str(plan),
        *(["--na", *words] if words else []))  # fmt: skip
    made = read_plan(plan, draw_seeds=True, save_seeds=False)
    scenario = made.scenarios[0]
    opened = open_plan(made, path.parent)[1].risk(limit=made.policy.record_risk).limit  # type: ignore[arg-type]
    assert opened is not None
    guide = begin_guide(ms.study(path), profile)  # type: ignore[arg-type]
    mine = guide.study.scenario()
    above = guide.study.risk(profile=profile).limit  # type: ignore[arg-type]
    assert above is not None
    limit = made.policy.record_risk
    assert not isinstance(limit, dict)
    return {
        "check": (
            checked["estimator"], checked["limit"], tuple(checked["keys"]), checked["above"]
        ),
        "plan new": (scenario.estimator, limit, tuple(scenario.keys), opened.unsafe),  # type: ignore[dict-item]
        "guide": (mine.estimator, guide.policy.record_risk, tuple(mine.keys), above.unsafe),  # type: ignore[dict-item]
    }  # fmt: skip


def ask_window(path: Path, profile: str) -> Answer:
    """Return the same as the page of the app is told it, over a connection as a browser has one."""
    client = import_module("app.client")
    with client.running(Session(Folders(roots=(path.parent.resolve(),)))) as page:
        page.ask("POST /api/open", {"folder": 0, "path": path.name})
        found = page.ask("PUT /api/guide", {"profile": profile})
        tried = page.ask("GET /api/intruders")["rows"]
    (scenario,) = found["study"]["scenarios"]
    limit = found["study"]["policy"]["record_risk"]
    (above,) = (row["now"]["above"] for row in tried if row["name"] == "keys")
    return scenario["estimator"], limit, tuple(found["keys"]), above


def show(folder: Path) -> None:
    """Print a row for each file, profile and door."""
    sys.path[0] = str(Path(__file__).parents[1] / "tests")  # this folder has another `files`
    os.environ["XDG_STATE_HOME"] = str(folder)  # where the app keeps its sessions
    write_labour_force = import_module("files.labour_force").write_labour_force
    for extension in ("sav", "xlsx", "csv"):
        path = write_labour_force(folder / f"lfs.{extension}")
        for profile in PROFILES:
            doors = ask_doors(path, profile) | {"window": ask_window(path, profile)}
            same = "same" if len(set(doors.values())) == 1 else "DIFFERENT"
            for door, (estimator, limit, keys, above) in doors.items():
                print(
                    f"{extension:5} {profile:11} {door:9} {estimator:6} {limit}  {above:,} above  "
                    f"{','.join(keys)}  {same}",
                    flush=True,
                )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        show(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            show(Path(folder))
