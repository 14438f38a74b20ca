"""Replace one file or several together, either wholly or not at all.

New files are made in a hidden folder beside those that they replace, which only its owner can
enter. Several are put in place by a journal in one of these folders: once it is there the set is
replaced, even if the program is killed in between, because the next run in the folder finishes
what the journal says. A signal to stop waits until that is done. Folders that a killed run left
without one are removed by the next.
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from pathlib import Path

from microsafe.errors import FileError, MicrosafeError, TornFileError
from microsafe.io.signals import hold_signals
from microsafe.io.system import (
    folders_open,
    largest_file,
    lock_folder,
    sync_file,
    sync_folder,
)

_LEFT = re.compile(r"\.microsafe-[0-9a-f]{16}\.tmp")  # what `_open_stage` makes, and nobody else
_OWNER_ONLY = 0o700  # its mode
_JOURNAL = ".microsafe-journal"
_HOME = ".microsafe-home"  # in the other folders of a set: where the one with the journal is
_ABANDONED = 86_400  # seconds after which what nobody can lock is nobody's
_NEXT_TO_NOTHING = 1 << 16  # bytes: a disk with less is full
_FULL = (errno.ENOSPC, errno.EDQUOT)
_placed: ContextVar[list[Path] | None] = ContextVar("placed", default=None)
_KINDS = (
    (stat.S_ISDIR, "a folder", "Name a file inside it."),
    (stat.S_ISFIFO, "a pipe", "Name a file."),
    (stat.S_ISSOCK, "a socket", "Name a file."),
    (stat.S_ISCHR, "a device", "Name a file."),
    (stat.S_ISBLK, "a device", "Name a file."),
)


@contextmanager
def watch_files() -> Iterator[list[Path]]:
    """Yield a list to which files are added as they are put in place, until the block ends."""
    placed: list[Path] = []
    token = _placed.set(placed)
    try:
        yield placed
    finally:
        _placed.reset(token)


@contextmanager
def private_folder() -> Iterator[Path]:
    """Yield a new folder for files with records that nobody else may see; it goes with the block.

    It lies in the user's own folder of the system's temporary one and is locked as long as the
    process lives. What a killed process left there is removed by the next one that asks, or by
    `sweep_private`.

    Raises:
        FileError: Somebody else made a folder of that name.
    """
    home = _find_private()
    with suppress(FileExistsError):
        home.mkdir(0o700)
    status = home.lstat()
    own = not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
    if not stat.S_ISDIR(status.st_mode) or not own:
        raise FileError(
            f"{home.name} in the folder for temporary files is not yours. Name another (TMPDIR)."
        )
    home.chmod(0o700)
    with _open_stage(home / "records") as folder:
        yield folder


def sweep_private() -> None:
    """Remove what killed processes of this user left in private folders."""
    finish_sets(_find_private())


def _find_private() -> Path:
    user = os.geteuid() if hasattr(os, "geteuid") else os.environ.get("USERNAME", "user")
    return Path(tempfile.gettempdir()) / f"microsafe-of-{user}"


@contextmanager
def replace_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path that takes the place of `path` when the block ends well.

    If the block raises anything at all, Ctrl-C included, the temporary file is removed and the old
    file is what it was. The temporary file has the same name, because some writers choose their
    format by it. A new file can be read by its owner only; one that is replaced keeps its mode.

    Raises:
        FileError: The folder is missing or cannot be written in, the disk is full, or what is
            there is no regular file.
    """
    with replace_files() as outputs:
        yield outputs.stage(path)


@contextmanager
def replace_files() -> Iterator[OutputSet]:
    """Yield a set of files that take their places together when the block ends well.

    Raises:
        FileError: As for `replace_file`; nothing was replaced then.
    """
    fault: FileError | None = None
    with ExitStack() as stages:
        outputs = OutputSet(stages)
        try:
            yield outputs
            outputs.replace()
        except TornFileError as error:
            fault = outputs.find_disk_fault(error) or TornFileError(str(error))
        except MicrosafeError:
            raise
        except BaseException as error:
            fault = outputs.find_disk_fault(error)
            if fault is None:
                raise
    if fault is not None:
        _raise_alone(fault)


class OutputSet:
    """Files that take the place of others together: all of them, or none."""

    def __init__(self, stages: ExitStack) -> None:
        self._closing = stages
        self._stages: dict[tuple[Path, Path], Path] = {}
        self._targets: dict[Path, Path] = {}
        self._discarded = False

    def discard(self) -> None:
        """Replace nothing after all."""
        self._discarded = True

    def stage(self, path: str | os.PathLike[str]) -> Path:
        """Return where to write what is to become `path`.

        Files that a writer leaves beside it become files beside `path`.

        Raises:
            FileError: The folder is missing or cannot be written in, or what is there is no
                regular file.
        """
        # A link stays a link: what it points to is replaced.
        requested, target = Path(path), Path(os.path.realpath(path))
        check_regular(requested)
        place = (Path(os.path.realpath(requested.parent)), target.parent)
        if place not in self._stages:
            self._stages[place] = self._closing.enter_context(_open_stage(target))
        staged = self._stages[place] / requested.name
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
        _make(lambda: os.close(os.open(staged, flags, 0o600)), target)
        self._targets[staged] = target
        return staged

    @property
    def targets(self) -> dict[Path, Path]:
        """What is to be replaced, by where the new file is: what lies beside others first."""
        beside = {
            file: Path(os.path.realpath(folder / file.name))
            for (folder, _), stage in self._stages.items()
            for file in sorted(stage.iterdir())
            if file not in self._targets and file.is_file()
        }
        return beside | self._targets

    def replace(self) -> None:
        """Put all files in place.

        Raises:
            FileError: One of them cannot be replaced.
        """
        moves = {} if self._discarded else self.targets
        for staged, target in moves.items():
            check_regular(target)
            sync_file(staged)
            # A writer may have made the file anew, so the mode is set last.
            staged.chmod(stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o600)
            if staged.stat().st_dev != target.parent.stat().st_dev:
                raise FileError(
                    f"{target.name} lies on another disk than what is written with it. "
                    "Choose a folder on the same disk."
                )
        if len(moves) == 1:
            with hold_signals():
                _move(moves)
        elif moves:
            self._replace_together(moves)

    def _replace_together(self, moves: dict[Path, Path]) -> None:
        home, *others = self._stages.values()
        for other in others:
            _write_durably(other / _HOME, _relative(home, other.parent))
        for folder in (home, *others):
            sync_folder(folder)
        pairs = [[_relative(path, home.parent) for path in pair] for pair in moves.items()]
        journal = home / _JOURNAL
        with _alone_in(home.parent), hold_signals():
            try:
                # From here on the set is replaced, by this run or the next.
                _write_durably(journal, json.dumps(pairs))
                _move(moves)
            except BaseException:
                if all(staged.exists() for staged in moves):
                    journal.unlink(missing_ok=True)  # nothing was replaced yet
                raise
            journal.unlink()

    def find_disk_fault(self, error: BaseException) -> FileError | None:
        """Return what the disk has to do with an error, if anything."""
        number = error.errno if isinstance(error, OSError) else None
        failed = isinstance(error, Exception) or type(error).__name__ == "PanicException"
        if not self._stages or not failed:
            return None
        names = ", ".join(target.name for target in self._targets)
        # What does not fit into memory waits in the folder for temporary files.
        folders = [*self._stages.values(), Path(tempfile.gettempdir())]
        folder = min(folders, key=_free_space)
        if number in _FULL or _free_space(folder) < _NEXT_TO_NOTHING:
            return _full_disk(folder, names)
        files = [file for stage in folders[:-1] for file in stage.rglob("*") if file.is_file()]
        largest = max((file.stat().st_size for file in files), default=0)
        if number == errno.EFBIG or largest >= largest_file():
            return FileError(
                f"Files on the disk of {_name_folder(folders[0])} may not grow beyond {largest:,} "
                f"bytes for you, so {names} was not written. Raise the limit (ulimit -f), or "
                "choose a folder on another disk."
            )
        return None


def _full_disk(folder: Path, names: str) -> FileError:
    return FileError(
        f"There is not enough space on the disk of {_name_folder(folder)}, so {names} was not "
        "written. Make room there, or choose a folder on another disk."
    )


def _name_folder(folder: Path) -> Path:
    """Return the folder that a person knows, not a hidden one of ours within."""
    while _LEFT.fullmatch(folder.name):
        folder = folder.parent
    return folder


def check_regular(path: Path) -> None:
    """Refuse to write onto a folder, device, pipe or socket, or a link to one.

    Raises:
        FileError: Says what it is.
    """
    mode = 0
    with suppress(OSError):  # what is not there yet will be a file
        mode = path.stat().st_mode
    for is_kind, what, remedy in _KINDS:
        if is_kind(mode):
            raise FileError(f"{path.name} is {what} and cannot be written to. {remedy}")


@contextmanager
def create_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield the path of a folder to be made, which becomes `path` when the block ends well.

    Until then it lies in a hidden folder beside it that only its owner can enter. If the block
    raises anything at all, nothing stays. Its files can be read by their owner only.

    Raises:
        FileError: The folder around it is missing or cannot be written in.
    """
    target = Path(os.path.realpath(path))
    with _open_stage(target) as aside:
        staged = aside / target.name
        yield staged
        for file in staged.iterdir():
            sync_file(file)
            file.chmod(0o600)
        staged.chmod(0o700)
        with hold_signals():
            os.rename(staged, target)
            _note_placed(target)


def finish_sets(folder: str | os.PathLike[str]) -> None:
    """Finish what a killed run had begun to put in place in a folder, and remove what it left.

    What belongs to a run that is still at work, or to somebody else, is left alone.
    """
    for left in find_left(Path(folder)):
        with suppress(OSError, ValueError):
            _finish(left)


def is_unfinished(folder: str | os.PathLike[str]) -> bool:
    """Tell whether a killed run left a set of files in a folder that is to be finished."""
    return any((_home_of(left) / _JOURNAL).exists() for left in find_left(Path(folder)))


def find_left(folder: Path) -> list[Path]:
    """Return the hidden folders of runs that are at work in a folder, or were killed there."""
    with suppress(OSError), os.scandir(folder) as entries:
        return [Path(entry.path) for entry in entries if _LEFT.fullmatch(entry.name)]
    return []


def _finish(left: Path) -> None:
    status = left.lstat()
    if not stat.S_ISDIR(status.st_mode):
        return
    if hasattr(os, "geteuid"):
        own = status.st_uid == os.geteuid()
        if not own or stat.S_IMODE(status.st_mode) != _OWNER_ONLY:
            return
    home = _home_of(left)
    locked = lock_folder(home if home.is_dir() else left)
    if locked is None and time.time() - status.st_mtime <= _ABANDONED:
        return
    try:
        if (home / _JOURNAL).is_file():
            _roll_forward(home)
        else:
            shutil.rmtree(left)
    finally:
        if locked is not None:
            os.close(locked)


def _home_of(left: Path) -> Path:
    with suppress(OSError):
        return left.parent / (left / _HOME).read_text("utf-8")
    return left


def _roll_forward(home: Path) -> None:
    pairs = json.loads((home / _JOURNAL).read_text("utf-8"))
    moves = {home.parent / staged: home.parent / target for staged, target in pairs}
    with _alone_in(home.parent):
        _move({staged: target for staged, target in moves.items() if staged.exists()})
        for stage in {staged.parent for staged in moves} - {home}:
            shutil.rmtree(stage, ignore_errors=True)
        (home / _JOURNAL).unlink()
    shutil.rmtree(home)


@contextmanager
def _open_stage(target: Path) -> Iterator[Path]:
    """Make a hidden folder beside a file, locked as long as the block lasts, and gone then."""
    finish_sets(target.parent)
    locked = None
    while True:
        stage = target.with_name(f".microsafe-{secrets.token_hex(8)}.tmp")
        _make(partial(stage.mkdir, _OWNER_ONLY), target)
        if not folders_open():
            break
        locked = lock_folder(stage, wait=True)
        if stage.exists():  # nobody thought it was left behind before it was locked
            break
        if locked is not None:
            os.close(locked)
    try:
        yield stage
    finally:
        # A journal that is still there is left for the next run to finish.
        if not (stage / _JOURNAL).exists() and not (_home_of(stage) / _JOURNAL).exists():
            shutil.rmtree(stage, ignore_errors=True)
        if locked is not None:
            os.close(locked)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Let one run at a time put a set in place, so that two sets are not mixed."""
    # A hidden folder is this run's anyhow, and locked already.
    locked = None if _LEFT.fullmatch(folder.name) else lock_folder(folder, wait=True)
    try:
        yield
    finally:
        if locked is not None:
            os.close(locked)


def _note_placed(path: Path) -> None:
    placed = _placed.get()
    if placed is not None:
        placed.append(path)


def _make(make: Callable[[], None], target: Path) -> None:
    """Make what is to become the target, or say why that cannot be."""
    folder = _name_folder(target.parent)
    try:
        make()
    except (FileNotFoundError, NotADirectoryError):
        fault = FileError(
            f"{target.name} cannot be written, because there is no folder {folder}. "
            "Create the folder, or name another."
        )
    except OSError as error:
        fault = (
            _full_disk(folder, target.name)
            if error.errno in _FULL
            else FileError(
                f"{target.name} cannot be written in the folder {folder}. "
                "Ask for write permission there, or name another folder."
            )
        )
    else:
        return
    raise fault


def _move(moves: dict[Path, Path]) -> None:
    for staged, target in moves.items():
        try:
            os.replace(staged, target)
        except PermissionError:
            fault = f"{target.name} cannot be replaced. Close it in other programs and try again."
        else:
            _note_placed(target)
            continue
        raise FileError(fault)
    for folder in {target.parent for target in moves.values()}:
        sync_folder(folder)


def _relative(path: Path, folder: Path) -> str:
    with suppress(ValueError):  # another drive of Windows
        return os.path.relpath(os.path.realpath(path), os.path.realpath(folder))
    return str(path)


def _write_durably(path: Path, text: str) -> None:
    """Write a small file that is there entirely, or not at all, whatever happens."""
    part = path.with_name(path.name + ".part")
    part.write_text(text, "utf-8")
    sync_file(part)
    os.replace(part, path)
    sync_folder(path.parent)


def _free_space(folder: Path) -> int:
    with suppress(OSError):
        return shutil.disk_usage(folder).free
    return _NEXT_TO_NOTHING


def _raise_alone(fault: FileError) -> None:
    """Raise an error that keeps nothing of the one being handled: that may quote a record."""
    try:
        raise fault
    finally:
        fault.__context__ = None
