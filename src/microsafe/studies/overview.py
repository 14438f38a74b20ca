"""A study at a glance, as text and as a page for notebooks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from microsafe.display import format_rows, keep_on_one_line
from microsafe.options.scenario import Scenario
from microsafe.results import find_labels, make_page
from microsafe.studies.state import StudyState
from microsafe.svg import draw_bars


def print_study(study: StudyState) -> str:
    """Return what is studied, and what was done, for a terminal."""
    scenarios = "; ".join(
        f"{scenario.name}: {', '.join(scenario.keys)}" for scenario in study.scenarios
    )
    first = f"Study of {study.schema.source} ({scenarios or 'no scenario yet'})"
    return "\n".join([first, *format_rows(list(_step_rows(study)))])


def make_study_page(study: StudyState) -> str:
    """Return the same for a notebook; no record is read for it."""
    used = [name for scenario in study.scenarios for name in scenario.variables]
    return make_page(
        f"Study of {study.schema.source}",
        [
            ("variables", f"{len(study.schema.names):,}"),
            *(row for scenario in study.scenarios for row in _scenario_rows(scenario)),
            *_step_rows(study),
        ],
        picture=_draw_variables(study),
        labels=find_labels(study.schema, used),
        remarks=[notice.text for notice in study.notices],
    )


def _scenario_rows(scenario: Scenario) -> Iterator[tuple[str, str]]:
    yield f"scenario {scenario.name}", f"estimator {scenario.estimator}"
    yield "keys", ", ".join(map(keep_on_one_line, scenario.keys))
    for role, name in (("weight", scenario.weight), ("household", scenario.household)):
        if name:
            yield role, keep_on_one_line(name)


def _draw_variables(study: StudyState) -> str:
    """Draw what variables are for in the first scenario, or how they are stored."""
    if not study.scenarios:
        kinds = Counter(each.kind for each in study.schema)
        return draw_bars("Variables by type", [(e, n, f"{n:,}") for e, n in kinds.most_common()])
    first = study.scenarios[0]
    counts = {
        "keys": len(first.keys),
        "weight": int(first.weight is not None),
        "household": int(first.household is not None),
    }
    counts["others"] = len(study.schema.names) - len(set(first.variables))
    return draw_bars("Variables by role", [(e, n, f"{n:,}") for e, n in counts.items() if n])


def _step_rows(study: StudyState) -> Iterator[tuple[str, str]]:
    for place, taken in enumerate(study.steps, 1):
        yield f"step {place}", taken.step.in_words()
