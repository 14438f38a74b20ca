"""What the app answers, one module for each stop of the rail."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from microsafe.app.views import compare, protect, release, risk, scenario, study
from microsafe.app.views import open as opening

View = Callable[[Any], Any]

VIEWS: Mapping[str, View] = {
    "GET /api/study": study.summary,
    "GET /api/plan": study.plan,
    "GET /api/files": opening.files,
    "POST /api/open": opening.open_file,
    "POST /api/demo": opening.demo,
    "POST /api/resume": opening.resume,
    "GET /api/variables": opening.variables,
    "GET /api/variable": opening.variable,
    "PUT /api/scenario": scenario.put,
    "DELETE /api/scenario": scenario.delete,
    "GET /api/risk": risk.risk,
    "POST /api/limit": risk.limit,
    "GET /api/contributions": risk.contributions,
    "GET /api/cells": risk.cells,
    "GET /api/file-risk": risk.file_risk,
    "GET /api/suggestions": protect.suggestions,
    "GET /api/steps": protect.kinds,
    "POST /api/preview": protect.preview,
    "POST /api/steps": protect.add,
    "POST /api/rollback": protect.rollback,
    "POST /api/grc": protect.grc,
    "POST /api/grc/export": protect.grc_text,
    "POST /api/confirm": compare.confirm,
    "GET /api/compare": compare.compare,
    "POST /api/plans": compare.keep,
    "DELETE /api/plans": compare.delete,
    "POST /api/plans/use": compare.use,
    "GET /api/plans/compare": compare.compare_plans,
    "PUT /api/policy": release.policy,
    "GET /api/verdicts": release.verdicts,
    "POST /api/release": release.release,
}
# What needs no work if it was measured before, and so need not wait for the worker.
READY: Mapping[str, Callable[[Any], bool]] = {
    "GET /api/risk": risk.is_risk_measured,
    "POST /api/limit": risk.is_limit_measured,
    "GET /api/variables": lambda _: True,
}
