"""Killed at any moment, a run leaves the old files or the new ones: never half, never a mixture.

`MICROSAFE_KILLS` says how many kills there are; `.ci/nightly` asks for 200 over all outputs.
"""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.io.atomic import finish_sets, is_unfinished, replace_files

KILLS = int(os.environ.get("MICROSAFE_KILLS", "60"))
NAMES = ("safe.asc", "reports/public.html", "plan.lock")
PLAN = """
microsafe = 1
[input]
file = "survey.csv"
[scenario]
keys = ["region", "sex", "age"]
weight = "weight"
estimator = "cell"
[policy]
override = {{ estimator = "k is what is asked for" }}
[[step]]
do = "suppress"
k = {k}
[output]
file = "safe.asc"
public_report = "reports/public.html"
keep_order = "to compare records"
"""

# Imports all that a run needs once, then forks a child for every kill. The child runs the commands
# in turn, so that kills fall into reading, writing, reading back and replacing alike.
LAUNCHER = """
import os, random, signal, sys, time
from pathlib import Path
import microsafe.plan.release, microsafe.engine.local, microsafe.io.load
from microsafe.cli import main
kills = int(sys.argv[1])
moments = random.Random(int(sys.argv[2]))
options = ["survey.csv", "--keys", "region,sex,age", "--weight", "weight"]

def work(first):
    for turn in range(first, first + 2):
        k = ("2", "5")[turn % 2]
        Path("plan.toml").write_text(Path(f"{k}.toml").read_text())
        main(["protect", "plan.toml", "--overwrite"])
        main(["suppress", *options, "--one-estimator", "--k", k, "-o", "suppressed.sav"])
        main(["sample", "survey.csv", "--fraction", "0.5", "--seed", k, "-o", "sample.xpt"])
        main(["risk", *options, "--one-estimator", "--alpha", f"0.{k}", "--records", "records.csv"])

def child(first, rounds):
    pid = os.fork()
    if pid == 0:
        for _ in range(rounds):
            work(first)
        os._exit(0)
    return pid

began = time.monotonic()
os.waitpid(child(0, 1), 0)
span = time.monotonic() - began  # what all of it takes here and now
for number in range(kills):
    pid = child(number, 100)
    time.sleep(moments.uniform(0.02, span))
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    sys.stderr.write("killed\\n")
    sys.stderr.flush()
    sys.stdin.readline()
"""

# Is killed when the first of several files is in place.
DIES = """
import os, signal, sys
from pathlib import Path
from microsafe.cli import main
real = os.replace

def die(old, new):
    real(old, new)
    if Path(new).name == "safe.asc" and ".microsafe-" not in str(new):
        os.kill(os.getpid(), signal.SIGKILL)

os.replace = die
main(["protect", sys.argv[1], "--overwrite"])
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGKILL is of POSIX")


def checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "none"


def left_over(folder: Path) -> list[str]:
    return [each.name for each in folder.rglob("*") if each.name.startswith(".microsafe")]


def prepare(folder: Path, *more: str) -> dict[str, list[str]]:
    """Make the input, and return what each output looks like after either plan."""
    plan = PLAN + "".join(f'report = "{name}"\n' for name in more)
    survey = ms.survey(1, households=60)
    survey.frame.select("region", "sex", "age", "weight").write_csv(folder / "survey.csv")
    (folder / "reports").mkdir()
    whole: dict[str, list[str]] = {name: [] for name in (*NAMES, *more, "safe.rda")}
    for k in (2, 5):
        (folder / f"{k}.toml").write_text(plan.format(k=k))
        (folder / "plan.toml").write_text(plan.format(k=k))
        assert main(["protect", str(folder / "plan.toml"), "--overwrite"]) == 0
        for name in whole:
            whole[name].append(checksum(folder / name))
    assert all(len(set(each)) == 2 for name, each in whole.items() if name != "safe.rda")
    return whole


def kill_runs(folder: Path, kills: int, seed: int, *more: str) -> tuple[int, int, int]:
    """Return how many kills left something to finish, and how many mixed or torn files then."""
    whole = prepare(folder, *more)
    unfinished = mixed = torn = 0
    singles: dict[str, set[str]] = {
        "suppressed.sav": set(),
        "sample.xpt": set(),
        "records.csv": set(),
    }
    with subprocess.Popen(
        [sys.executable, "-c", LAUNCHER, str(kills), str(seed)],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as launcher:
        assert launcher.stdin is not None
        assert launcher.stderr is not None
        for _ in range(kills):
            while "killed" not in (line := launcher.stderr.readline()):
                assert line, "the launcher ended"
            unfinished += bool(left_over(folder))
            for each in (folder, folder / "reports"):  # what the next run does first
                finish_sets(each)
            assert left_over(folder) == []
            found = {name: checksum(folder / name) for name in whole}
            torn += sum(found[name] not in sums for name, sums in whole.items())
            mixed += not any(
                all(found[name] == sums[turn] for name, sums in whole.items()) for turn in (0, 1)
            )
            for name, seen in singles.items():
                seen.add(checksum(folder / name))
            launcher.stdin.write("next\n")
            launcher.stdin.flush()
    # Each of them is made in two ways only.
    torn += sum(max(0, len(seen - {"none"}) - 2) for seen in singles.values())
    sys.stdout.write(
        f"{kills} kills: {unfinished} left something to finish; then {mixed} mixed sets and "
        f"{torn} torn files\n"
    )
    return unfinished, mixed, torn


@pytest.mark.slow
def test_kills_over_all_outputs(tmp_path: Path) -> None:
    assert kill_runs(tmp_path, KILLS, 1, "board.html")[1:] == (0, 0)


@pytest.mark.slow
def test_a_few_kills(tmp_path: Path) -> None:
    assert kill_runs(tmp_path, 4, 2)[1:] == (0, 0)


def put_set(folder: Path, content: str) -> None:
    with replace_files() as outputs:
        for name in ("one.txt", "two.txt", "below/three.txt"):
            outputs.stage(folder / name).write_text(content)


def contents(folder: Path) -> set[str]:
    return {each.read_text() for each in folder.rglob("*.txt")}


@pytest.mark.slow
def test_a_kill_at_every_step_of_a_set(tmp_path: Path) -> None:
    """Steps are what changes the disk: a kill just before each of them."""
    (tmp_path / "below").mkdir()
    kinds = {"old": 0, "new": 0}
    for number in range(200):
        put_set(tmp_path, "old")
        pid = os.fork()
        if pid == 0:
            steps = 0

            def counted(real, last=number):  # type: ignore[no-untyped-def]
                def step(*args, **options):  # type: ignore[no-untyped-def]
                    nonlocal steps
                    steps += 1
                    if steps > last:
                        os.kill(os.getpid(), signal.SIGKILL)
                    return real(*args, **options)

                return step

            for name in ("replace", "fsync", "unlink", "mkdir", "rmdir", "open", "chmod"):
                setattr(os, name, counted(getattr(os, name)))
            put_set(tmp_path, "new")
            os._exit(0)
        ended = os.waitpid(pid, 0)[1]
        if ended == 0:  # there are no more steps
            break
        finish_sets(tmp_path / "below" if number % 2 else tmp_path)
        for each in (tmp_path, tmp_path / "below"):
            finish_sets(each)
        assert left_over(tmp_path) == []
        (content,) = contents(tmp_path)
        kinds[content] += 1
    sys.stdout.write(f"killed before each of {number} steps: {kinds}, 0 mixed sets\n")
    assert min(kinds.values()) > 2


@pytest.mark.slow
def test_two_hundred_kills_of_sets_in_a_row(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    put_set(tmp_path, "0")
    moments, unfinished = random.Random(1), 0
    for number in range(200):
        pid = os.fork()
        if pid == 0:
            for turn in range(1000):
                put_set(tmp_path, f"{number} {turn}")
            os._exit(0)
        time.sleep(moments.uniform(0.001, 0.02))
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        unfinished += is_unfinished(tmp_path)
        finish_sets(tmp_path)
        finish_sets(tmp_path / "below")
        assert len(contents(tmp_path)) == 1
        assert left_over(tmp_path) == []
    sys.stdout.write(f"200 kills: {unfinished} sets were to be finished, then 0 mixed sets\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_stop_waits_until_the_set_is_in_place(
    number: signal.Signals,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    whole = prepare(tmp_path)
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.format(k=2))
    real = os.replace

    def stop_after(old: Path, new: Path) -> None:
        real(old, new)
        if Path(new).name == "safe.asc" and ".microsafe-" not in str(new):
            signal.raise_signal(number)

    monkeypatch.setattr(os, "replace", stop_after)
    capsys.readouterr()
    assert main(["protect", str(plan), "--overwrite"]) == 130
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith("microsafe: Interrupted; already written: ")
    assert set(told.split(": ")[-1].rstrip(".").split(", ")) == {Path(name).name for name in whole}
    assert {name: checksum(tmp_path / name) for name in whole} == {
        n: s[0] for n, s in whole.items()
    }
    assert left_over(tmp_path) == []


def test_what_is_written_to_be_compared_is_not_told_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prepare(tmp_path)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("microsafe.cli.commands.replay.find_differences", stop)
    capsys.readouterr()
    assert main(["replay", str(tmp_path / "plan.toml"), "--check"]) == 130
    assert "no output file was changed" in capsys.readouterr().err


def test_what_a_live_run_needs_is_left_alone(tmp_path: Path) -> None:
    with replace_files() as outputs:
        staged = outputs.stage(tmp_path / "out.csv")
        staged.write_text("new")
        finish_sets(tmp_path)
        assert staged.read_text() == "new"
    assert (tmp_path / "out.csv").read_text() == "new"


@pytest.mark.parametrize(
    "name",
    [
        ".microsafe-settings",
        ".microsafe-notes_2024",
        ".microsafe-0123456789abcdef",
        ".microsafe-0123456789abcdef.tmp.old",
        ".microsafe-0123456789ABCDEF.tmp",
        ".microsafe-settings.tmp",
    ],
)
def test_what_only_looks_like_ours_stays(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir(0o700)
    (folder / "notes.txt").write_text("mine")
    os.utime(folder, (1, 1))
    finish_sets(tmp_path)
    assert (folder / "notes.txt").read_text() == "mine"


def test_a_folder_that_others_may_enter_and_a_file_are_not_ours(tmp_path: Path) -> None:
    shared = tmp_path / ".microsafe-0123456789abcdef.tmp"
    shared.mkdir()
    shared.chmod(0o755)
    file = tmp_path / ".microsafe-fedcba9876543210.tmp"
    file.write_text("mine")
    for each in (shared, file):
        os.utime(each, (1, 1))
    finish_sets(tmp_path)
    assert shared.exists()
    assert file.exists()


@pytest.mark.slow
def test_a_set_that_is_to_be_finished_is_told_by_a_check_and_finished_by_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = prepare(tmp_path)
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.format(k=2))
    killed = subprocess.run([sys.executable, "-c", DIES, str(plan)], check=False)
    assert killed.returncode == -signal.SIGKILL
    before = {each: checksum(each) for each in tmp_path.rglob("*")}
    capsys.readouterr()
    assert main(["replay", str(plan), "--check"]) == 1
    assert "when it was killed" in capsys.readouterr().out
    assert before == {each: checksum(each) for each in tmp_path.rglob("*")}
    assert main(["report", str(plan), "-o", str(tmp_path / "again.html")]) == 0
    assert {name: checksum(tmp_path / name) for name in whole} == {
        n: s[0] for n, s in whole.items()
    }
    assert main(["replay", str(plan), "--check"]) == 0
    assert left_over(tmp_path) == []


FRAME = """
import os, signal, sys
import microsafe as ms
from microsafe.plan import from_study

def stop(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

from_study._release = stop
study = ms.study(ms.survey(1, households=50).frame, keys=["region", "sex"], estimator="cell")
study.release(sys.argv[1], keep_order="a test")
"""


@pytest.mark.slow
def test_a_frame_that_was_being_released_is_swept(tmp_path: Path) -> None:
    """The records lie in a private folder then, which whoever comes next removes."""
    surroundings = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", FRAME, str(tmp_path / "out")], env=surroundings, check=False
    )
    assert done.returncode == -signal.SIGKILL
    (private,) = tmp_path.glob("microsafe-of-*")
    (left,) = private.iterdir()
    assert private.stat().st_mode & 0o077 == left.stat().st_mode & 0o077 == 0
    assert [path.name for path in left.iterdir()] == ["frame.parquet"]
    subprocess.run(
        [sys.executable, "-m", "microsafe", "describe", str(left / "frame.parquet")],
        env=surroundings, check=False, capture_output=True,
    )  # fmt: skip
    assert not left.exists()


# Is killed as soon as records lie in the folder for temporary files.
FRAME = """
import os, signal, sys
from pathlib import Path
import microsafe as ms

def die(*_):
    if any(each.is_file() for each in Path(os.environ["TMPDIR"]).rglob("*")):
        os.kill(os.getpid(), signal.SIGKILL)

frame = ms.survey(1, households=60).frame.select("region", "sex", "age", "weight")
study = ms.study(frame, keys=["region", "sex", "age"], weight="weight").suppress(k=3)
study.release(sys.argv[1], policy=ms.Policy(k=3), progress=die)
"""


@pytest.mark.slow
def test_records_of_a_frame_are_private_and_swept_after_a_kill(tmp_path: Path) -> None:
    temporary, out = tmp_path / "tmp", tmp_path / "out"
    temporary.mkdir()
    out.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary)}
    ran = subprocess.run(
        [sys.executable, "-c", FRAME, str(out)], env=environment, capture_output=True, check=False
    )
    assert ran.returncode == -signal.SIGKILL
    left = [each for folder in (temporary, out) for each in folder.rglob("*")]
    assert any(each.is_file() for each in left)
    assert all(each.stat().st_mode & 0o077 == 0 for each in left)
    for folder in (out, temporary):  # the next command sweeps both
        subprocess.run(
            [sys.executable, "-m", "microsafe", "doctor"],
            env=environment,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            check=True,
        )
    assert not [each for each in tmp_path.rglob("*") if each.is_file()]
