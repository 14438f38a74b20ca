"""Record all that a user can see of a tree, so that two trees can be compared.

    uv run python tests/record/make.py FOLDER [PART,..]
    uv run python tests/record/make.py compare BEFORE AFTER

Into FOLDER go the help of all commands, names and signatures of the public API, what commands
print and write on three files, results as Python shows them, reports in both languages, and the
safe files and locks of plans that together use every step and every format. Two runs of one tree
give the same bytes; `diff -r` shows the same as `compare`. Another tree is recorded by its own
Python: `cd TREE && .venv/bin/python tests/record/make.py FOLDER`.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Whatever the machine could add to what is printed is set before anything is imported.
os.environ |= {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "TZ": "UTC", "MPLBACKEND": "Agg"}
os.environ |= {"LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": "0"}
for name in ("FORCE_COLOR", "MICROSAFE_DEBUG", "PYTHONUTF8"):
    os.environ.pop(name, None)
secrets.randbits = lambda k: 4711  # seeds that plans leave out are drawn by it
PARTS = ("help", "api", "commands", "errors", "results", "formats", "plans", "reports")


def main(arguments: list[str]) -> int:
    if len(arguments) == 3 and arguments[0] == "compare":
        return subprocess.run(["diff", "-r", "-u", *arguments[1:]], check=False).returncode
    if len(arguments) not in (1, 2) or arguments[0].startswith("-"):
        print(__doc__)
        return 2
    target = Path(arguments[0]).resolve()
    parts = tuple(arguments[1].split(",")) if arguments[1:] else PARTS
    if target.exists() and any(target.iterdir()):
        print(f"{target} is not empty.")
        return 2
    return record(target, parts)


def record(target: Path, parts: tuple[str, ...]) -> int:
    # Imported late, as the environment is set above.
    import api
    import calls
    import formats
    import helps
    import inputs
    import plans
    import results
    from folder import Folder

    import microsafe

    print(f"Recording {Path(microsafe.__file__).parent} into {target}")
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="record-") as place:
        work = Path(place).resolve()
        os.environ["XDG_STATE_HOME"] = str(work / ".state")
        os.chdir(work)
        try:
            inputs.make()
            folder = Folder(target, work)
            every = {
                "help": helps.record,
                "api": api.record,
                "commands": calls.record,
                "errors": calls.record_errors,
                "results": results.record,
                "formats": formats.record,
                "plans": plans.record,
                "reports": plans.record_reports,
            }
            for name in parts:
                began = time.process_time()
                every[name](folder.below(name))
                print(f"{name:10}{time.process_time() - began:6.1f} CPU s")
        finally:
            os.chdir(before)
    if parts == PARTS:
        helps.check_every_command_was_called()
    print(f"{sum(path.is_file() for path in target.rglob('*'))} files")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
