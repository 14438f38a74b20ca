"""Damage files of every format, plans and codebooks too, and read them.

    python tests/fuzz/run.py [--mutations 2000] [--formats .csv .toml]

Nothing may crash, take 20 CPU seconds, grow by 2 GB, or quote a record. Files that make it so are
kept. Exit 1 if there are any.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.damage import damage
from fuzz.seeds import METADATA, NUMBER, SEEDS, TEXT
from fuzz.small import SMALL

FORMATS = (*SEEDS, *SMALL)

SECONDS, BYTES = 20, 2_000_000_000
_MARKS = (TEXT, str(NUMBER), f"{NUMBER:,}")


class Victim:
    """The process that reads, started again if it dies."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self.said = ""

    def ask(self, path: Path) -> tuple[str, str, float, float, bool]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, str(Path(__file__).with_name("victim.py"))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{path}\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if line:
            how, message, seconds, grown, died = json.loads(line)
            return how, message, seconds, grown, died
        code = self._process.wait()
        self.close()
        return "crash", f"exit {code}", 0.0, 0.0, False

    def close(self) -> str:
        """End it, and return what it or a library printed on standard error."""
        if self._process is None:
            return ""
        process, self._process = self._process, None
        _, told = process.communicate()
        self.said += told
        return told


@dataclass
class Tally:
    """What became of the files of a format."""

    format: str
    counts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    grown: float = 0.0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        count = self.counts
        return (
            f"{self.format:10s} {count['all']:6d} damaged: {count['read']:5d} read, "
            f"{count['refused']:5d} refused ({count['died']} by a reader that died); "
            f"{count['crash']} crashes, {count['slow']} slow, {count['large']} large, "
            f"{count['quoted']} quoted, {count['unexpected']} unexpected, "
            f"{count['printed']} printed; "
            f"at most {self.seconds:.1f} CPU s, {self.grown / 1e9:.2f} GB"
        )


def try_format(
    suffix: str, mutations: int, seed: int, kept: Path | None = None, until: float = float("inf")
) -> Tally:
    """Read so many damaged files of a format, or as many as there is time for."""
    sound = [SMALL[suffix][0]] if suffix in SMALL else [make() for make in SEEDS[suffix]]
    tally, chance, victim = Tally(suffix), random.Random(f"{seed}{suffix}"), Victim()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(mutations):
            if time.monotonic() > until:
                break
            path = Path(folder) / f"file{suffix}"
            content = damage(chance.choice(sound), chance)
            metadata = METADATA
            if suffix == ".asc" and chance.random() < 0.5:
                content, metadata = sound[0], damage(METADATA, chance)
            path.unlink(missing_ok=True)
            path.write_bytes(content)
            if suffix == ".asc":
                path.with_suffix(".rda").write_bytes(metadata)
            how, message, seconds, grown, died = victim.ask(path)
            wrong = [how] if how in ("crash", "unexpected") else []
            wrong += ["slow"] if seconds > SECONDS else []
            wrong += ["large"] if grown > BYTES else []
            wrong += ["quoted"] if any(mark in message for mark in _MARKS) else []
            tally.counts.update({"all": 1, how: 1, "died": int(died)})
            tally.counts.update(each for each in wrong if each != how)
            tally.seconds, tally.grown = max(tally.seconds, seconds), max(tally.grown, grown)
            if wrong:
                tally.faults.append(f"{suffix} {number}: {', '.join(wrong)}: {message[:200]}")
                if kept is not None:
                    kept.mkdir(parents=True, exist_ok=True)
                    (kept / f"{wrong[0]}-{seed}-{number}{suffix}").write_bytes(content)
                    if suffix == ".asc":
                        (kept / f"{wrong[0]}-{seed}-{number}.rda").write_bytes(metadata)
        victim.close()
        if victim.said:
            tally.counts["printed"] += 1
            tally.faults.append(f"{suffix}: printed on standard error: {victim.said[:300]}")
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutations", type=int, default=2000, help="of each format")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--formats", nargs="*", default=list(FORMATS), metavar="EXTENSION")
    parser.add_argument("--keep", type=Path, default=None, help="folder for files with a fault")
    chosen = parser.parse_args()
    failed = 0
    for suffix in chosen.formats:
        tally = try_format(suffix, chosen.mutations, chosen.seed, chosen.keep)
        print(tally, flush=True)
        for fault in tally.faults:
            print(f"  {fault}", flush=True)
        failed += len(tally.faults)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
