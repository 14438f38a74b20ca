"""CPU seconds of each test, those of the processes that it started among them.

`--cpu-report` lists the tests that are too dear for those that a person waits for, and are not
marked `slow`, and what the tests of each folder take; `--dearest N` lists the dearest of all,
slow ones too. Seconds of a processor, so that it does not matter what else the machine does.
What a fixture of a module or session takes is counted for the first test that asks for it.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Generator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

DEAR = 1.5  # half of this is the aim: see CONTRIBUTING.md
_PROPERTY = "cpu_seconds"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cpu-report", action="store_true", help="list dear tests, unless slow")
    parser.addoption("--dearest", type=int, default=0, metavar="N", help="list the N dearest tests")


def pytest_configure(config: pytest.Config) -> None:
    dearest = config.getoption("--dearest")
    if dearest or config.getoption("--cpu-report"):
        config.pluginmanager.register(CpuReport(dearest))


def _cpu_seconds() -> float:
    """Of this process, of those that it waited for and, on Linux, of those that still live."""
    return sum(os.times()[:4]) + _living_children("self") / os.sysconf("SC_CLK_TCK")


def _living_children(process: str) -> int:
    ticks = 0
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # it is gone
            for child in children.read_text().split():
                after_name = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
                ticks += sum(map(int, after_name[11:15])) + _living_children(child)
    return ticks


class CpuReport:
    """A plugin that measures tests where they run, and adds up what all workers say."""

    def __init__(self, dearest: int) -> None:
        self.dearest = dearest
        self.start: float | None = None
        self.seconds: dict[str, float] = {}
        self.dear: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        if self.start is None:
            self.start = _cpu_seconds()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.when == "teardown":
            assert self.start is not None
            end = _cpu_seconds()
            report.user_properties.append((_PROPERTY, round(end - self.start, 2)))
            self.start = end  # of the next one: to ask costs more than many a test
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        spent = dict(report.user_properties).get(_PROPERTY)
        if report.when == "teardown" and isinstance(spent, float):
            self.seconds[report.nodeid] = spent
            if spent > DEAR and "slow" not in report.keywords:
                self.dear[report.nodeid] = spent

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("CPU seconds")
        for test, spent in _by_cost(self.seconds)[: self.dearest]:
            terminalreporter.line(f"{spent:7.2f} {test}")
        folders: defaultdict[str, float] = defaultdict(float)
        for test, spent in self.seconds.items():
            folders[str(Path(test.partition("::")[0]).parent)] += spent
        for folder, spent in _by_cost(folders):
            terminalreporter.line(f"{spent:7.0f} {folder}")
        for test, spent in _by_cost(self.dear):
            terminalreporter.line(f"{spent:7.2f} {test}")
        terminalreporter.line(
            f"{len(self.dear)} tests take more than {DEAR} CPU s and are not marked slow;"
            f" all {len(self.seconds)} take {sum(self.seconds.values()):.0f} CPU s"
        )


def _by_cost(seconds: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(seconds.items(), key=lambda pair: -pair[1])
