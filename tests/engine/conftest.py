"""One Spark session for all tests that ask for it; they are skipped, with the reason, without."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest


def _absent(reason: str) -> None:
    if os.environ.get("MICROSAFE_SPARK") == "1":
        pytest.fail(f"{reason}: here the Spark suite must run")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """Spark on two cores, as small as it gets."""
    if find_spec("pyspark") is None:
        _absent("PySpark is not installed (the extra 'spark')")
    from microsafe.engine.spark import session
    from microsafe.engine.spark.java import provide_java
    from microsafe.errors import InputError

    try:
        provide_java()
    except InputError:
        _absent("there is no Java for Spark")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of PySpark itself, about pandas and sockets
        started = session("local[2]")
        started.conf.set("spark.sql.shuffle.partitions", "2")
        yield started
        started.stop()
