"""What processes cost, and tables of it: CPU seconds, wall seconds, peak memory, ratios, growth."""

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
Part = Callable[[Path, float], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a process took: CPU and wall seconds, and peak memory in GB."""

    cpu: float
    wall: float
    peak: float


def process(*arguments: object, times: int = 5) -> Cost:
    """Run a process some times; return what the run with the least CPU seconds took."""
    costs = []
    for _ in range(times):
        began = time.perf_counter()
        pid = os.posix_spawn(
            sys.executable,
            [sys.executable, *map(str, arguments)],
            ENVIRONMENT,
            file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
        )
        _, status, used = os.wait4(pid, 0)
        wall = time.perf_counter() - began
        if status:
            raise SystemExit(f"failed: {' '.join(map(str, arguments))}")
        cpu = used.ru_utime + used.ru_stime
        costs.append(Cost(cpu=cpu, wall=wall, peak=used.ru_maxrss / 1e6))
    return min(costs, key=lambda cost: cost.cpu)


def in_turn(*commands: Sequence[object], times: int = 5) -> list[Cost]:
    """Run several processes one after the other, some times over, as the machine may slow down.

    Returns:
        What the run of each with the least CPU seconds took.
    """
    rounds = [[process(*command, times=1) for command in commands] for _ in range(times)]
    return [min(costs, key=lambda cost: cost.cpu) for costs in zip(*rounds, strict=True)]


def make(path: Path, **shape: float) -> Path:
    """Make a file in a process of its own: a child's peak memory starts at its parent's.

    See `files.make` for what its shape may be: rows, keys, missing, categories, members.
    """
    process(HERE / "files.py", path, *(f"{name}={value}" for name, value in shape.items()), times=1)
    return path


def key_names(keys: int) -> str:
    """Name the keys of a file that `make` made, as options take them."""
    return ",".join(f"k{place}" for place in range(keys))


def risk(path: Path, keys: int, *more: object, times: int = 5) -> Cost:
    """Measure `microsafe risk`."""
    roles = ("--keys", key_names(keys), "--weight", "w", "--json")
    return process("-m", "microsafe", "risk", path, *roles, *more, times=times)


def protect(path: Path, keys: int, command: str, *more: object, above: float = 0.01) -> Cost:
    """Measure a command that takes a limit, such as `suppress`."""
    roles = ("--keys", key_names(keys), "--weight", "w", "--above", above, "--json")
    return process("-m", "microsafe", command, path, *roles, *more, times=1)


def start_of(module: str = "microsafe.studies.study") -> float:
    """CPU seconds of Python and its imports, which do not grow."""
    return process("-c", f"import {module}", times=3).cpu


def exponents(sizes: Sequence[float], costs: Sequence[float]) -> list[str]:
    """Growth from each size to the next: the power of the size that the cost follows."""
    return [
        "",
        *(
            f"{math.log(b / a) / math.log(m / n):.2f}"
            for a, b, n, m in zip(costs, costs[1:], sizes, sizes[1:], strict=False)
        ),
    ]


def table(title: str, heading: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print figures under a title."""
    widths = [max(len(row[i]) for row in [heading, *rows]) for i in range(len(heading))]
    print(f"\n{title}")
    for row in [heading, *rows]:
        print("  " + "  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)))
    sys.stdout.flush()


def run_parts(
    parts: Mapping[str, Part], description: str | None, long: Mapping[str, Part] | None = None
) -> None:
    """Run the parts that the command line names, or all; those that take long by an option each."""
    long = long or {}
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("parts", nargs="*", help=", ".join(parts))
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows")
    for name in long:
        parser.add_argument(f"--{name}", action="store_true", help="only that, which takes long")
    chosen = parser.parse_args()
    unknown = set(chosen.parts) - set(parts)
    if unknown:
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(parts)}")
    with tempfile.TemporaryDirectory(prefix="microsafe-benchmark-") as folder:
        wanted = [*chosen.parts, *(name for name in long if getattr(chosen, name))]
        for name in wanted or parts:
            ({**parts, **long})[name](Path(folder), 0.1 if chosen.quick else 1.0)
