"""Results as Python shows them, as text and as the page of a notebook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from folder import Folder
from lookups import step

import microsafe as ms

KEYS = ("region", "sex", "age", "marital")

VERBS: dict[str, Callable[[ms.Study], Any]] = {
    "study": lambda s: s,
    "schema": lambda s: s.schema,
    "scenario": lambda s: s.scenario(),
    "describe": lambda s: s.describe(),
    "inventory": lambda s: s.inventory(),
    "preview-variables": lambda s: s.preview_variables(["age", "region"]),
    "risk": lambda s: s.risk(limit=0.02),
    "risk-cells": lambda s: s.risk().cells(),
    "limit": lambda s: s.limit(rate=0.01),
    "file-risk": lambda s: s.file_risk(),
    "combinations": lambda s: s.combinations(k=2),
    "uniques": lambda s: s.uniques(),
    "tabulation": lambda s: s.tabulation(),
    "areas": lambda s: s.areas("region"),
    "diversity": lambda s: s.diversity(["citizenship"]),
    "tau": lambda s: s.tau(),
    "suggest": lambda s: s.suggest(most=4),
    "preview": lambda s: s.preview(step("recode", variable="age", breaks=(0, 30, 60))),
    "stepped": lambda s: stepped(s),
    "compare": lambda s: stepped(s).compare(),
    "numeric-risk": lambda s: stepped(s).numeric_risk(["income"]),
    "undo": lambda s: stepped(s).undo(),
    "rollback": lambda s: stepped(s).rollback(1),
    "plan": lambda s: stepped(s).plan("safe.csv"),
    "second-scenario": lambda s: s.with_scenario("colleague", keys=["region", "occupation"]).risk(
        scenario="colleague"
    ),
    "declare": lambda s: s.declare(
        {"age": ms.Declaration(label="Age in years", missing=(99,))}
    ).preview_variables(["age"]),
    "propose-declarations": lambda s: s.propose_declarations(),
    "propose": lambda s: s.propose(policy=ms.Policy(record_risk=0.2), touched=0.2),
    "pandas": lambda s: s.to_pandas().head(5).to_csv(),
    "arrow": lambda s: s.to_arrow().schema,
}  # fmt: skip


def stepped(study: ms.Study) -> ms.Study:
    return study.recode("age", breaks=(0, 20, 40, 60)).noise(["income"], seed=3).suppress(k=2)


def record(folder: Folder) -> None:
    study = ms.study("small.sav", keys=KEYS, weight="weight", household="household")
    for name, verb in VERBS.items():
        folder.put(name, _show(verb, study))


def _show(verb: Callable[[ms.Study], Any], study: ms.Study) -> str:
    """Return a result in all its forms; a refusal too is to stay what it is."""
    try:
        found = verb(study)
    except ms.MicrosafeError as error:
        return f"{type(error).__name__}: {error}\n"
    parts = [found if isinstance(found, str) else repr(found)]
    if hasattr(found, "_repr_html_"):
        parts.append(str(found._repr_html_()).replace("><", ">\n<"))
    if hasattr(found, "summary"):
        parts.append(repr(found.summary()))
    return "\n\n".join([*parts, ""])
