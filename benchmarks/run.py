"""Measure microsafe against the bare engine and against itself: CPU time, ratios, memory.

    uv run python benchmarks/run.py            everything, about half an hour
    uv run python benchmarks/run.py --quick    a tenth of the rows
    uv run python benchmarks/run.py describe   only that part; or several:
    uv run python benchmarks/run.py risk missing growth kernel memory scale spark cells gate
    uv run python benchmarks/run.py --billion  a billion records, which nothing else runs

What is on the page "How fast" is printed by

    uv run --extra spark python benchmarks/run.py floor sharing sizes suppression combinations
    uv run --extra spark python benchmarks/run.py many wide release packages session app growth

Every ratio compares two things measured in the same run, each as the best of several
processes, in CPU seconds of the whole process, start-up and imports included.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from measure import Part, run_parts


def part(module: str, function: str) -> Part:
    """Name a part; its module is imported when it is run."""

    def run(folder: Path, scale: float) -> None:
        getattr(import_module(module), function)(folder, scale)

    return run


PARTS = {
    "start": part("commands", "start_up"),
    "kernel": part("commands", "kernel"),
    "risk": part("commands", "whole_command"),
    "missing": part("commands", "missing_keys"),
    "memory": part("commands", "memory"),
    "floor": part("floor", "measure_files"),
    "many": part("missing", "many_keys"),
    "wide": part("missing", "wide_keys"),
    "growth": part("growth", "growth"),
    "suppression": part("suppression", "suppression"),
    "combinations": part("suppression", "combination_search"),
    "sharing": part("sharing", "large"),
    "sizes": part("sharing", "sizes"),
    "uniques": part("suppression", "uniques"),
    "release": part("release", "measure_release"),
    "packages": part("packages", "reading"),
    "limited": part("packages", "limited"),
    "limits": part("limits", "limits"),
    "app": part("app_large", "measure_app"),
    "models": part("models", "models"),
    "scale": part("scale", "scale"),
    "spark": part("scale", "spark"),
    "cells": part("scale", "spark_cells"),
    "session": part("session", "session"),
    "gate": part("gate", "measure_gate"),
    "describe": part("describe", "measure_describe"),
    "jobs": part("jobs", "measure_jobs"),
}

LONG = {"billion": part("billion", "billion")}

if __name__ == "__main__":
    run_parts(PARTS, __doc__, LONG)
