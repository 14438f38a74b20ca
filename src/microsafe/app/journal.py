"""The journal of a session: what was decided so far, on disk, so that a crash loses nothing.

It holds scenarios, steps and the policy, as a plan does, and never a record. There is one
journal for each input file, and one app at a time may work on it.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microsafe.app.wire import build_declarations, encode_message, make_plain
from microsafe.errors import InputError, UsageError
from microsafe.io import replace_file
from microsafe.options.declaration import Declarations
from microsafe.options.policy import Policy
from microsafe.options.scenario import Scenario
from microsafe.options.uses import Uses
from microsafe.plan.lines import PlanPosition
from microsafe.plan.model import Propose
from microsafe.plan.read import build_propose
from microsafe.plan.sections import build_uses
from microsafe.plan.values import build_step, build_value
from microsafe.report import ReportCover
from microsafe.steps.base import Step

FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedReading:
    """How the file is read; the words of a plan's input, but with full paths."""

    meta: str = ""
    encoding: str = ""
    separator: str = ""
    comment: str = ""
    na: tuple[str, ...] = ()
    sheet: str = ""
    decimal: str = ""
    thousands: str = ""
    join: str = ""
    on: str = ""
    join_sheet: str = ""
    join_sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenProposal:
    """Why steps are what they are: they begin with a plan that was proposed.

    Attributes:
        steps: All steps up to the last of that plan.
        propose: What was asked for and found, as a plan keeps it.
    """

    steps: tuple[Step, ...]
    propose: Propose


@dataclass(frozen=True, slots=True, kw_only=True)
class Journal:
    """What was decided.

    Attributes:
        file: Full path of the input.
        sha256: Of its bytes.
        reading: How it is read.
        declarations: What was said of variables, by name.
        scenarios: As given.
        policy: What the board asks.
        limit: That was chosen, if any.
        household_limit: On household risk, likewise.
        limits: Of scenarios that have one of their own, by name.
        household_limits: On household risk, likewise.
        steps: Taken so far.
        confirmed: How many of them were confirmed.
        plans: Steps of the candidates, by name.
        proposed: Proposals of which a plan was taken or kept.
        keep: Reason to keep a variable, by name.
        keep_order: Reason to keep the order of the records.
        shuffle: Seed of their new order otherwise; None if a plan that keeps it is continued.
        cover: What stands on the cover of the reports.
        uses: Which variables, tables and models matter, if somebody said so.
    """

    file: str
    sha256: str
    reading: SavedReading = field(default_factory=SavedReading)
    declarations: Declarations = field(default_factory=dict)
    scenarios: tuple[Scenario, ...] = ()
    policy: Policy = field(default_factory=Policy)
    limit: float | None = None
    household_limit: float | None = None
    limits: Mapping[str, float] = field(default_factory=dict)
    household_limits: Mapping[str, float] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    confirmed: int = 0
    plans: Mapping[str, tuple[Step, ...]] = field(default_factory=dict)
    proposed: tuple[TakenProposal, ...] = ()
    keep: Mapping[str, str] = field(default_factory=dict)
    keep_order: str = ""
    shuffle: int | None = field(default=None, repr=False)
    cover: ReportCover = field(default_factory=ReportCover)
    uses: Uses | None = None


class JournalFile:
    """The place of a session on disk: its journal, and a lock that falls with the process.

    Args:
        file: The input that the session works on.

    Raises:
        InputError: The file is open in another window.
    """

    def __init__(self, file: Path) -> None:
        folder = state_folder()
        name = hashlib.sha256(str(file).encode()).hexdigest()[:20]
        self.path = folder / f"{name}.json"
        self._lock = os.open(folder / f"{name}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        if not _take_lock(self._lock):
            os.close(self._lock)
            raise InputError(
                f"{file.name} is already open in another microsafe window. "
                "Use that window, or close it."
            )

    def close(self) -> None:
        """Release the lock, so that others can open the session."""
        os.close(self._lock)

    def write(self, journal: Journal) -> None:
        """Put the journal on disk, entirely or not at all."""
        with replace_file(self.path) as temporary:
            temporary.write_bytes(
                encode_message({"microsafe": FORMAT} | make_plain(journal, secret=True)) + b"\n"
            )

    def read(self) -> Journal | None:
        """Return the journal, if there is one."""
        return read_journal(self.path) if self.path.is_file() else None


def state_folder() -> Path:
    """Return the folder of all journals, which only this user can enter; make it if need be."""
    if sys.platform == "win32":
        usual = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    else:
        usual = Path.home() / ".local" / "state"
    folder = Path(os.environ.get("XDG_STATE_HOME") or usual) / "microsafe"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        raise InputError(
            f"The folder {folder} cannot be created, so sessions cannot be saved. "
            "Set XDG_STATE_HOME to a folder that you can write to."
        ) from None
    return folder


def read_latest() -> Journal:
    """Return the journal that was written last.

    Raises:
        InputError: There is none.
    """
    found = [*state_folder().glob("*.json")]
    if not found:
        raise InputError("There is no session to resume. Start with a file instead.")
    return read_journal(max(found, key=lambda path: path.stat().st_mtime))


def read_journal(path: Path) -> Journal:
    """Read a journal, and refuse what is not understood.

    Raises:
        InputError: It is damaged, or of a later version.
    """
    try:
        table = json.loads(path.read_text("utf-8"))
        if table.pop("microsafe") != FORMAT:
            raise ValueError
        return _build_journal(table)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, UsageError):
        raise InputError(f"The session in {path} cannot be read. Start without --resume.") from None


def _build_journal(table: dict[str, Any]) -> Journal:
    where = "session"
    number = float | int | None
    kinds: dict[str, Any] = {
        "file": str,
        "sha256": str,
        "limit": number,
        "household_limit": number,
        "limits": dict,
        "household_limits": dict,
        "confirmed": int,
        "keep": dict,
        "keep_order": str,
        "shuffle": int | None,
    }
    if not all(isinstance(table[name], kind) for name, kind in kinds.items()):
        raise ValueError
    if not all(isinstance(why, str) for why in table["keep"].values()):
        raise ValueError
    limits = [*table["limits"].values(), *table["household_limits"].values()]
    if not all(isinstance(limit, float | int) for limit in limits):
        raise ValueError
    return Journal(
        **{name: table[name] for name in kinds},
        reading=build_value(SavedReading, table["reading"], where),
        declarations=build_declarations(table["declarations"], where),
        scenarios=tuple(build_value(Scenario, each, where) for each in table["scenarios"]),
        policy=build_value(Policy, table["policy"], where),
        cover=build_value(ReportCover, table["cover"], where),
        uses=None
        if table["uses"] is None
        else build_uses(table["uses"], lambda *_: PlanPosition(where)),
        steps=_build_steps(table["steps"]),
        plans={name: _build_steps(each) for name, each in table["plans"].items()},
        proposed=tuple(_build_proposed(each) for each in table["proposed"]),
    )


def _build_steps(tables: Iterable[object]) -> tuple[Step, ...]:
    return tuple(build_step(each, "session") for each in tables)


def _build_proposed(table: Mapping[str, Any]) -> TakenProposal:
    where = PlanPosition("session")
    return TakenProposal(
        steps=_build_steps(table["steps"]),
        propose=build_propose(table["propose"], where, where, where),
    )


def _take_lock(handle: int) -> bool:
    """Take the lock, which the system lets go when the process ends, however it ends."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
