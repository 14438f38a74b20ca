"""Safe files, locks and reports of plans that together use every step and every format."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from calls import place_plans, remove
from console import call
from folder import MOST, Folder
from formats import content
from lookups import kinds_of_steps, writable_formats

PLANS = sorted((Path(__file__).parent / "plans").glob("*.toml"))
REPORTED = ("bands", "perturbed", "swapped", "uses", "refused", "jobs-plan")


def record(folder: Folder) -> None:
    _check_that_all_is_used()
    place_plans()
    for path in PLANS:
        _record_release(folder, path.name)


def _record_release(folder: Folder, plan: str) -> None:
    folder = folder.below(plan.removesuffix(".toml"))
    checked = call(f"plan check {plan}")
    answer = call(f"protect {plan} --json")
    safe = Path(_read(Path(plan))["output"]["file"])
    for path in answer.files:
        folder.put(path.name, folder.describe(path) + _say_document(path))
    if safe.exists():
        folder.put(f"{safe.name} read back", content(safe))
    again = call(f"replay {plan} --check")
    remove(answer.files)
    printed = [checked, answer, again, call(f"protect {plan} --script")]
    folder.put("printed", "\n".join(each.as_text() for each in printed))


def record_reports(folder: Folder) -> None:
    """Both reports in both languages, as pages."""
    place_plans()
    for name in REPORTED:
        for audience in ("board", "public"):
            for language in ("en", "de"):
                words = (
                    f"report {name}.toml -o out.html --audience {audience} --language {language}"
                )
                answer = call(words)
                folder.put(f"{name}-{audience}-{language}", answer.with_files(folder, most=MOST))
                remove(answer.files)


def _say_document(path: Path) -> str:
    """Return the text of a report as PDF or Word."""
    if path.suffix == ".pdf":
        from pypdf import PdfReader

        pages = [page.extract_text() for page in PdfReader(path).pages]
        return "\n".join([f"--- text of {path.name}", *pages, ""])
    if path.suffix == ".docx":
        from docx import Document

        document = Document(str(path))
        lines = [each.text for each in document.paragraphs]
        for table in document.tables:
            lines += [" | ".join(cell.text for cell in row.cells) for row in table.rows]
        return "\n".join([f"--- text of {path.name}", *lines, ""])
    return ""


def _check_that_all_is_used() -> None:
    """Fail if a kind of step or a format that can be written is in no plan."""
    read = [_read(path) for path in PLANS]
    kinds = {step["do"] for plan in read for step in plan.get("step", [])}
    outputs = [plan["output"]["file"] for plan in read]
    lacking = kinds_of_steps() - kinds
    assert not lacking, f"no plan of tests/record/plans has a step {', '.join(sorted(lacking))}"
    for first, extensions in writable_formats().items():
        used = any(name.endswith(extensions) for name in outputs)
        assert used, f"no plan of tests/record/plans writes {first}"


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))
