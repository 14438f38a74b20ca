from __future__ import annotations

import gc
import os
import random
import signal
import sys
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling

import microsafe as ms
import profiles  # noqa: F401 (loads the profile of hypothesis)

pytest_plugins = ["chromium", "cpu_time"]

os.environ["MPLBACKEND"] = "Agg"
# Java of Spark, whichever test starts it first: so short a life does not pay for the best machine
# code; of room for code and classes there is little by default, and each task clears 64 MB.
os.environ.setdefault(
    "JAVA_TOOL_OPTIONS",
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=240m"
    " -XX:MetaspaceSize=256m -Dspark.buffer.pageSize=2m",
)
# Hundreds of processes that tests start would compile all modules anew, and so would pytest.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
for name in ("COLUMNS", "LINES"):  # readline, which pytest loads, tells them to every subprocess
    os.environ.pop(name, None)
    os.unsetenv(name)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell script
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Modules and thousands of tests never become garbage: no look at them, now or later.
gc.disable()

PEERS = Path(os.environ.get("MICROSAFE_PEERS", Path(__file__).parents[2] / "shared" / "peers"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run tests in a random order")
    parser.addoption("--slow", action="store_true", help="run slow tests too, as .ci/run does")


# Not --dist=loadgroup: pytest 9.2 no longer lets pytest-xdist 3.8 put groups into names of tests.
class ByFile(LoadScopeScheduling):  # type: ignore[misc]
    """Tests of a file stay together, for what they share; Spark is started once for all files."""

    def _split_scope(self, nodeid: str) -> str:
        return "spark" if "spark" in nodeid else nodeid.partition("::")[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByFile:
    return ByFile(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if "spark" in item.nodeid or "spark" in getattr(item, "fixturenames", ()):
            item.add_marker("spark")
        if "browser" in item.path.parts or item.get_closest_marker("spark"):
            item.add_marker("slow")
    if not config.getoption("--slow"):
        left_out = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
    seed = config.getoption("--shuffle")
    if seed is not None:
        _shuffle(items, random.Random(seed))


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if not config.getoption("--slow"):
        terminalreporter.line("Slow tests were left out; --slow runs them too, as .ci/run does.")


def _shuffle(items: list[pytest.Item], chance: random.Random) -> None:
    """Shuffle modules, and tests within modules, so that fixtures of modules are made once."""
    modules = sorted({item.path for item in items})
    place = dict(zip(modules, chance.sample(range(len(modules)), len(modules)), strict=True))
    chance.shuffle(items)
    items.sort(key=lambda item: place[item.path])


@pytest.fixture
def survey(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The synthetic survey, of some 700 people, in a folder of the test's own."""
    path = tmp_path_factory.mktemp("survey") / "survey.csv"
    ms.survey(1, households=300).frame.write_csv(path)
    return path


@pytest.fixture(scope="session")
def peers() -> Path:
    """Reference data of other programs, where they are to be had."""
    if not PEERS.is_dir():
        pytest.skip("the reference data of other programs are not beside this checkout")
    return PEERS
