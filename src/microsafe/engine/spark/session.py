"""The Spark session: the caller's own, or one that is started for this process."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from pyspark.sql import SparkSession

from microsafe.engine.spark.java import left_to_java, provide_java, scratch
from microsafe.errors import InputError, UsageError
from microsafe.io.signals import hold_signals

_REMOTE = "sc://"
# Of sessions started here. Names in files may differ by case alone, and so do f and F.
_SETTINGS = {
    "spark.app.name": "microsafe",
    "spark.sql.caseSensitive": "true",
    "spark.driver.maxResultSize": "0",  # what comes out is bounded in cells instead
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
# Of Java on this machine. Most of what a small file costs is Java compiling Spark; its second
# compiler, the expensive one, is left to code that runs ten times as often as it would ask for.
_JAVA_OPTIONS = (
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:Tier4InvocationThreshold=50000",
    "-XX:Tier4MinInvocationThreshold=6000",
    "-XX:Tier4CompileThreshold=150000",
    "-XX:Tier4BackEdgeThreshold=400000",
)


def session(master: str | None = None) -> SparkSession:
    """Return the session in use, or start one.

    Args:
        master: As Spark has it: `local[4]`, `yarn`, `spark://host:7077`, or `sc://host:15002`
            for Spark Connect. If None, the active session, or all cores of this machine.

    Raises:
        UsageError: A session with another master is active.
        InputError: Java is missing, or the master does not answer.
    """
    active = SparkSession.getActiveSession()
    if active is not None:
        _check_master(active, master)
        return active
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # on versions of pandas, which is not used
        return _start_session(master or "local[*]")


def _check_master(active: SparkSession, master: str | None) -> None:
    if master is None or master.startswith(_REMOTE):
        return
    running = active.conf.get("spark.master", None)
    if running != master:
        raise UsageError(
            f"A Spark session with master {running} is active, so {master} cannot be used. "
            "Stop that session first, or leave master out."
        )


def _start_session(master: str) -> SparkSession:
    if master.startswith(_REMOTE):
        builder = SparkSession.builder.remote(master)
    else:
        provide_java()
        if master.startswith("local") and sys.executable:
            # Functions of records need this Python; Spark would take whatever "python3" is.
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        builder = SparkSession.builder.master(master)
        for name, value in {**_SETTINGS, **_of_machine(master)}.items():
            builder = builder.config(name, value)
    fault = ""
    try:
        # Java that is left alone halfway would never end. Spark's own answer to Ctrl-C, which talks
        # to it in the midst of other talk, is not kept.
        with _silence_java(), hold_signals():
            started = builder.getOrCreate()
            left_to_java()
            return started
    except Exception:  # of many kinds, none of which says more
        fault = f"Spark could not be started with master {master}. Check its address."
        if master.startswith("local"):
            fault = (
                "Spark could not be started on this machine: its Java failed. Set "
                "MICROSAFE_DEBUG=1 to see what it says, or JAVA_HOME to use another Java."
            )
    raise InputError(fault)


def _of_machine(master: str) -> dict[str, str]:
    """Settings for this machine; those that its own configuration of Spark has stay."""
    if os.environ.get("SPARK_CONF_DIR"):
        return {}
    folder = scratch()
    settings = {
        "spark.driver.memory": _memory(),
        "spark.driver.extraJavaOptions": f'-Djava.io.tmpdir="{folder}"',
        "spark.local.dir": str(folder),
        "spark.sql.warehouse.dir": (folder / "warehouse").as_uri(),
    }
    if master.startswith("local"):  # Spark's 200 partitions are meant for clusters
        settings["spark.sql.shuffle.partitions"] = str(4 * (os.cpu_count() or 1))
        settings["spark.driver.extraJavaOptions"] += f" {' '.join(_JAVA_OPTIONS)}"
    return settings


def _memory() -> str:
    """A third of the machine's memory: Spark's default of 1 GB holds few cells."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        whole = 6 << 30
    return f"{max(1024, (whole >> 20) // 3)}m"


@contextmanager
def _silence_java() -> Iterator[None]:
    """Keep what Spark logs off the terminal, as it may quote records: Java inherits the silence."""
    if os.environ.get("MICROSAFE_DEBUG"):
        yield
        return
    with ExitStack() as restore:
        try:
            original = os.dup(2)
        except OSError:  # there is none
            restore.callback(os.close, 2)
        else:
            restore.callback(os.close, original)
            restore.callback(os.dup2, original, 2)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        if nowhere != 2:
            os.dup2(nowhere, 2)
            os.close(nowhere)
        os.set_inheritable(2, True)
        yield
