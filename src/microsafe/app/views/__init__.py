"""What the app answers, one module for each stop of the rail."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from microsafe.app.views import compare, inventory, protect, release, report, risk, scenario, study
from microsafe.app.views import open as opening

View = Callable[[Any], Any]

VIEWS: Mapping[str, View] = {
    "GET /api/study": study.summarise_study,
    "GET /api/plan": study.show_plan,
    "GET /api/files": opening.list_files,
    "POST /api/open": opening.open_file,
    "POST /api/demo": opening.open_demo,
    "POST /api/resume": opening.resume_session,
    "GET /api/variables": opening.list_variables,
    "GET /api/variable": opening.show_variable,
    "PUT /api/scenario": scenario.put_scenario,
    "DELETE /api/scenario": scenario.delete_scenario,
    "GET /api/risk": risk.measure_risk,
    "POST /api/limit": risk.set_limit,
    "POST /api/household-limit": risk.set_household_limit,
    "GET /api/contributions": risk.list_contributions,
    "GET /api/cells": risk.list_cells,
    "GET /api/file-risk": risk.estimate_file_risk,
    "GET /api/numeric-risk": risk.measure_numbers,
    "GET /api/population": risk.check_population,
    "GET /api/suggestions": protect.suggest_steps,
    "GET /api/steps": protect.list_kinds,
    "POST /api/preview": protect.preview_step,
    "POST /api/steps": protect.apply_step,
    "POST /api/rollback": protect.roll_back,
    "POST /api/grc": protect.read_recode,
    "POST /api/grc/export": protect.export_recode,
    "GET /api/inventory": inventory.list_inventory,
    "PUT /api/keep": inventory.keep_variables,
    "PUT /api/order": inventory.set_order,
    "POST /api/confirm": compare.confirm_steps,
    "GET /api/compare": compare.compare_states,
    "POST /api/plans": compare.keep_plan,
    "DELETE /api/plans": compare.delete_plan,
    "POST /api/plans/use": compare.use_plan,
    "GET /api/plans/compare": compare.compare_plans,
    "PUT /api/policy": release.set_policy,
    "GET /api/verdicts": release.judge_policy,
    "POST /api/release": release.write_release,
    "PUT /api/cover": report.set_cover,
    "GET /api/releases": report.list_releases,
    "POST /api/report": report.open_report,
}
# What needs no work if it was measured before, and so need not wait for the worker.
READY: Mapping[str, Callable[[Any], bool]] = {
    "GET /api/risk": risk.is_risk_measured,
    "POST /api/limit": risk.is_limit_measured,
    "GET /api/variables": lambda _: True,
}
