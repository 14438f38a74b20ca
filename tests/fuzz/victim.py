"""A person's process: it opens one damaged file after the other, and must live on.

Reads paths from standard input, and writes for each a line of JSON: how it ended, what was said,
CPU seconds, and by how many bytes it and the process that reads have grown.
"""

from __future__ import annotations

import json
import os
import re
import resource
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.small import SMALL
from microsafe.errors import MicrosafeError
from microsafe.io import read
from microsafe.io.reader import process

TICK = os.sysconf("SC_CLK_TCK")


def reader() -> int | None:
    found = process._reader
    return found._process.pid if found is not None else None


def peak(pid: int | str) -> int:
    """Bytes that a process held at most since it was last reset."""
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return 1024 * int(found[1]) if found else 0


def reset(pid: int | str) -> int:
    Path(f"/proc/{pid}/clear_refs").write_text("5")
    return peak(pid)


def seconds(pid: int | None) -> float:
    """CPU seconds of this process, of those that ended, and of the one that reads."""
    used = sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
    if pid is not None:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        used += (int(fields[11]) + int(fields[12])) / TICK
    return used


def attempt(path: Path) -> tuple[str, str]:
    small = SMALL.get(path.name.removeprefix("file"))
    try:
        if small is not None:
            small[1](path)
            return "read", ""
        source = read(path)
        source.load(source.schema.names)
        for _ in source.scan(source.schema.names, 17) if source.scan else ():
            pass
    except MicrosafeError as error:
        return "refused", str(error)
    except BaseException as error:
        return "unexpected", f"{type(error).__name__}: {error}"
    told = " ".join(notice.text for notice in source.notices)
    for name in source.schema.names:  # a value may stand where the damaged file has a name
        told = told.replace(name, "")
    return "read", told


def main() -> None:
    process._SOUND.add("failed")  # only who died is replaced: starting takes longer than reading
    process.start_reader()
    for line in sys.stdin:
        before = reader()
        began, own = seconds(before), reset("self")
        base = reset(before) if before is not None else 0
        how, message = attempt(Path(line.rstrip("\n")))
        after = reader()
        died = before is not None and before != after
        grown = peak("self") - own
        if after is not None and after == before:
            grown = max(grown, peak(after) - base)
        elif died:  # the largest of all that ended is all that the system tells
            grown = max(grown, 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss - base)
        spent = seconds(after) - began
        answer = [how, message, spent, grown, died]
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
