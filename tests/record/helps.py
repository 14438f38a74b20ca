"""Help of all commands."""

from __future__ import annotations

from console import call, uncalled
from folder import Folder
from lookups import command_parsers


def record(folder: Folder) -> None:
    for name in command_parsers():
        folder.put(name.replace(" ", "-") or "microsafe", call([*name.split(), "--help"]).out)
    folder.put("nothing", call([]).out)


def check_every_command_was_called() -> None:
    left = uncalled()
    assert not left, f"no call in tests/record/calls.toml uses {', '.join(sorted(left))}"
