"""The journal of a session: what was decided so far, on disk, so that a crash loses nothing.

It holds the plan of the session as plans are written, and never a record. There is one journal
for each input file, and one app at a time may work on it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microsafe.app.wire import encode_message
from microsafe.errors import InputError, UsageError
from microsafe.io import replace_file
from microsafe.io.control_file import parse_json, parse_toml
from microsafe.io.system import lock_file, user_folder
from microsafe.options.release import Output
from microsafe.plan.model import Input, Plan, Propose, plan_text
from microsafe.plan.read import build_plan
from microsafe.steps.base import Step

FORMAT = 1
_NUMBER = float | int | None
_KINDS: Mapping[str, Any] = {
    "limit": _NUMBER,
    "household_limit": _NUMBER,
    "limits": dict,
    "household_limits": dict,
    "shuffle": int | None,
    "confirmed": int,
}


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
    """What was decided: the plan, and what a session knows besides.

    Attributes:
        plan: Of the session so far, with full paths; it may have no scenario yet.
        limit: That was chosen, if any.
        household_limit: On household risk, likewise.
        limits: Of scenarios that have one of their own, by name.
        household_limits: On household risk, likewise.
        shuffle: Seed of a new order of the records, also while their order is kept; None if a plan
            that keeps it is continued.
        confirmed: How many steps were confirmed.
        candidates: Steps of the candidate plans, by name.
        proposed: Proposals of which a plan was taken or kept.
    """

    plan: Plan
    limit: float | None = None
    household_limit: float | None = None
    limits: Mapping[str, float] = field(default_factory=dict)
    household_limits: Mapping[str, float] = field(default_factory=dict)
    shuffle: int | None = field(default=None, repr=False)
    confirmed: int = 0
    candidates: Mapping[str, tuple[Step, ...]] = field(default_factory=dict)
    proposed: tuple[TakenProposal, ...] = ()


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
        if not lock_file(self._lock):
            os.close(self._lock)
            raise InputError(
                f"{file.name} is already open in another microsafe window. "
                "Use that window, or close it."
            )

    @property
    def search(self) -> Path:
        """The file that keeps a search for a plan, beside the journal."""
        return self.path.with_suffix(".search")

    def close(self) -> None:
        """Release the lock, so that others can open the session."""
        os.close(self._lock)

    def write(self, journal: Journal) -> None:
        """Put the journal on disk, entirely or not at all."""
        with replace_file(self.path) as temporary:
            temporary.write_bytes(encode_message(_make_table(journal)) + b"\n")

    def read(self) -> Journal | None:
        """Return the journal, if there is one."""
        return read_journal(self.path) if self.path.is_file() else None


def state_folder() -> Path:
    """Return the folder of all journals, which only this user can enter; make it if need be."""
    folder = user_folder() / "microsafe"
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
        table = parse_json(path.read_text("utf-8"))
        if table.pop("microsafe") != FORMAT:
            raise ValueError
        return _build_journal(table)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, UsageError):
        raise InputError(f"The session in {path} cannot be read. Start without --resume.") from None


def _make_table(journal: Journal) -> dict[str, object]:
    table: dict[str, object] = {name: getattr(journal, name) for name in _KINDS}
    candidates = {name: _write_steps(candidate) for name, candidate in journal.candidates.items()}
    proposed = [_write_steps(each.steps, each.propose) for each in journal.proposed]
    plans = {"plan": plan_text(journal.plan), "candidates": candidates, "proposed": proposed}
    return {"microsafe": FORMAT} | plans | table


def _write_steps(steps: tuple[Step, ...], propose: Propose | None = None) -> str:
    """Return a plan that has nothing but steps."""
    plan = Plan(
        input=Input(file=""),
        scenarios=(),
        steps=steps,
        propose=propose,
        output=Output(file=""),
    )
    return plan_text(plan)


def _build_journal(table: dict[str, Any]) -> Journal:
    if not all(isinstance(table[name], kind) for name, kind in _KINDS.items()):
        raise ValueError
    limits = [*table["limits"].values(), *table["household_limits"].values()]
    if not all(isinstance(limit, float | int) for limit in limits):
        raise ValueError
    proposed = [_read_text(each) for each in table["proposed"]]
    return Journal(
        **{name: table[name] for name in _KINDS},
        plan=_read_text(table["plan"]),
        candidates={name: _read_text(value).steps for name, value in table["candidates"].items()},
        proposed=tuple(
            TakenProposal(steps=each.steps, propose=each.propose)
            for each in proposed
            if each.propose is not None
        ),
    )


def _read_text(text: str) -> Plan:
    return build_plan(parse_toml(text), Path("session"), draft=True)
