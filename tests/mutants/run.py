"""Change the source in one place after another, and see whether a test notices.

    uv run python tests/mutants/run.py --sample 300 --seed 1

First all tests run once, and it is written down which test runs which line. Then each mutant of
the sample gets a process of its own, in which only the tests run that reach its line, the
quickest first, until one fails. What no test notices is listed at the end.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.machinery
import json
import os
import random
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from mutate import Mutant, mutants

ROOT = Path(__file__).parents[2]
PRELOAD = ("numpy", "polars", "hypothesis", "hypothesis.strategies", "mpmath", "matplotlib.pyplot")
# With slow tests: some lines nothing else reaches. Other processes do not see what was changed.
OPTIONS = ["-q", "-o", "addopts=", "-p", "no:cacheprovider", "--slow", "-m", "not spark"]
OPTIONS += ["--ignore=tests/browser", "--ignore=tests/crash"]
QUIET = ["-x", "--assert=plain"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """Which tests run a line, and how long each takes.

    Attributes:
        tests: Names of the tests that passed.
        seconds: What each takes.
        lines: By file and line the places of tests in `tests`.
    """

    tests: list[str]
    seconds: list[float]
    lines: dict[str, dict[int, list[int]]]

    def by(self, path: str, mutant: Mutant, budget: float) -> tuple[list[str], float]:
        """Return the tests that run the line of a mutant, the quickest first, and their time."""
        lines = self.lines.get(path, {})
        wanted = lines if mutant.module_level else range(mutant.lines[0], mutant.lines[1] + 1)
        found = {test for line in wanted for test in lines.get(line, ())}
        chosen: list[str] = []
        spent = 0.0
        for test in sorted(found, key=lambda test: self.seconds[test]):
            if chosen and spent + self.seconds[test] > budget:
                break
            chosen.append(self.tests[test])
            spent += self.seconds[test]
        return chosen, spent


class Recorder:
    """A plugin of pytest that notes the lines that each test runs."""

    def __init__(self, source: Sequence[Path]) -> None:
        import coverage

        self.coverage = coverage.Coverage(
            data_file=None, config_file=False, include=[f"{folder}/*" for folder in source]
        )
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.outcome != "passed":
            self.failed.add(report.nodeid)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        self.coverage.switch_context(item.nodeid)
        yield
        self.coverage.switch_context("")

    def reached(self) -> Reached:
        data = self.coverage.get_data()
        tests = [test for test in self.seconds if test not in self.failed]
        place = {test: number for number, test in enumerate(tests)}
        lines = {
            str(Path(path).relative_to(ROOT)): {
                line: [place[test] for test in contexts if test in place]
                for line, contexts in data.contexts_by_lineno(path).items()
            }
            for path in data.measured_files()
        }
        return Reached(tests=tests, seconds=[self.seconds[test] for test in tests], lines=lines)


def record(source: Sequence[Path], tests: Sequence[str]) -> Reached:
    """Run the tests once, in a process of its own, and return what they reach."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        recorder = Recorder(source)
        recorder.coverage.start()
        pytest.main([*OPTIONS, "--durations=40", *tests], plugins=[recorder])
        recorder.coverage.stop()
        found = recorder.reached()
        with os.fdopen(writing, "w") as pipe:
            json.dump([found.tests, found.seconds, found.lines], pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        names, seconds, lines = json.load(pipe)
    os.waitpid(child, 0)
    return restored(names, seconds, lines)


def restored(names: list[str], seconds: list[float], lines: dict[str, Any]) -> Reached:
    by_line = {
        path: {int(line): tests for line, tests in found.items()} for path, found in lines.items()
    }
    return Reached(tests=names, seconds=seconds, lines=by_line)


def start(path: Path, source: str, tests: Sequence[str]) -> int:
    """Run tests with a changed source in a new process, and return its number."""
    child = os.fork()
    if child:
        return child
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for handle in (0, 1, 2):
        os.dup2(null, handle)
    loader = importlib.machinery.SourceFileLoader
    plain = loader.get_code

    def get_code(self: Any, fullname: str) -> CodeType | None:
        if Path(self.path) == path:
            return compile(source, str(path), "exec", dont_inherit=True)
        return plain(self, fullname)

    loader.get_code = get_code  # type: ignore[method-assign]
    os._exit(int(pytest.main([*OPTIONS, *QUIET, *tests])))


@dataclass(slots=True, kw_only=True)
class Run:
    """A mutant at work.

    Attributes:
        number: Its place in the sample.
        end: When its time is up.
    """

    number: int
    end: float


def judge(
    sample: Sequence[tuple[Path, Mutant]], reached: Reached, *, budget: float, workers: int
) -> list[str]:
    """Say of each mutant whether it is killed, survives, hangs or is never run."""
    verdicts = [""] * len(sample)
    running: dict[int, Run] = {}
    waiting = list(range(len(sample)))[::-1]
    while waiting or running:
        while waiting and len(running) < workers:
            number = waiting.pop()
            path, mutant = sample[number]
            tests, seconds = reached.by(str(path.relative_to(ROOT)), mutant, budget)
            if not tests:
                verdicts[number] = "not run"
                continue
            child = start(path, mutant.apply(path.read_text()), tests)
            running[child] = Run(number=number, end=time.monotonic() + 30 + 6 * seconds)
        for child, run in list(running.items()):
            done, status = os.waitpid(child, os.WNOHANG)
            if not done and time.monotonic() > run.end:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                verdicts[running.pop(child).number] = "timed out"
            elif done:
                passed = os.waitstatus_to_exitcode(status) == 0
                verdicts[running.pop(child).number] = "survived" if passed else "killed"
                over = sum(map(bool, verdicts))
                print(f"\r{over} of {len(sample)}", end="", file=sys.stderr, flush=True)
        time.sleep(0.05)
    return verdicts


def control(sample: Sequence[tuple[Path, Mutant]], reached: Reached, *, budget: float) -> None:
    """Make sure that tests pass in a new process as long as nothing is changed."""
    for path, mutant in sample[:3]:
        tests, _ = reached.by(str(path.relative_to(ROOT)), mutant, budget)
        if tests:
            _, status = os.waitpid(start(path, path.read_text(), tests), 0)
            if status:
                raise SystemExit(f"Tests of {path.name} fail though nothing was changed.")


def report(sample: Sequence[tuple[Path, Mutant]], verdicts: Sequence[str]) -> float:
    """Print counts by module and the mutants that no test noticed; return the share noticed."""
    by_module: dict[str, Counter[str]] = {}
    for (path, _), verdict in zip(sample, verdicts, strict=True):
        by_module.setdefault(str(path.relative_to(ROOT)), Counter())[verdict] += 1
    words = ("killed", "timed out", "survived", "not run")
    print(f"\n{'module':58}" + "".join(f"{word:>11}" for word in words))
    for module, counts in [*sorted(by_module.items()), ("all", Counter(verdicts))]:
        print(f"{module:58}" + "".join(f"{counts[word]:11}" for word in words))
    print()
    for (path, mutant), verdict in sorted(
        zip(sample, verdicts, strict=True), key=lambda pair: (pair[0][0], pair[0][1].line)
    ):
        if verdict in ("survived", "not run"):
            change = mutant.describe(path.read_text())
            print(f"{path.relative_to(ROOT)}:{mutant.line}: {verdict}: {change}")
    noticed = sum(verdict in ("killed", "timed out") for verdict in verdicts)
    share = noticed / len(verdicts) if verdicts else 1.0
    print(f"\n{noticed} of {len(verdicts)} mutants noticed: {100 * share:.1f} %")
    return share


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("source", nargs="*", default=["src/microsafe/risk", "src/microsafe/steps"])
    parser.add_argument("--sample", type=int, metavar="N", help="mutants drawn (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--match", default="", help="only files whose path matches this pattern")
    parser.add_argument("--tests", default="tests", help="arguments for pytest: which tests")
    parser.add_argument("--budget", type=float, default=60.0, help="seconds of tests per mutant")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--record", type=Path, help="keep what tests reach here, and read it again")
    parser.add_argument("--least", type=float, default=0.0, help="share that must be noticed")
    options = parser.parse_args()
    os.chdir(ROOT)
    os.environ["HYPOTHESIS_PROFILE"] = "mutants"
    os.environ["MPLBACKEND"] = "Agg"
    folders = [(ROOT / each).resolve() for each in options.source]
    files = [file for each in folders for file in sorted(each.rglob("*.py"))]
    if options.record and options.record.exists():
        reached = restored(*json.loads(options.record.read_text()))
    else:
        reached = record(folders, options.tests.split())
        if options.record:
            found = [reached.tests, reached.seconds, reached.lines]
            options.record.write_text(json.dumps(found))
    every = [
        (file, mutant)
        for file in files
        if re.search(options.match, str(file.relative_to(ROOT)))
        for mutant in mutants(file.read_text())
    ]
    drawn = random.Random(options.seed).sample(every, min(options.sample or len(every), len(every)))
    print(f"{len(drawn)} of {len(every)} mutants, seed {options.seed}", flush=True)
    for name in PRELOAD:
        importlib.import_module(name)
    control(drawn, reached, budget=options.budget)
    verdicts = judge(drawn, reached, budget=options.budget, workers=options.workers)
    return 0 if report(drawn, verdicts) >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
