"""Where Spark keeps what it cannot hold in memory: a folder that only this user can enter."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from pyspark import SparkContext

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
