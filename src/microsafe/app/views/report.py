"""Reports: their cover, and both of them opened from the page."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from microsafe.app.documents import Document
from microsafe.app.folders import check_name
from microsafe.app.messages.questions import BrowseQuery, ReportRequest
from microsafe.app.messages.release import ReleasedPlan, ReleaseList, ReportLink
from microsafe.app.messages.study import StudySummary
from microsafe.app.refusal import Refusal
from microsafe.app.request import Request
from microsafe.app.views.study import summarise_study
from microsafe.io.atomic import private_folder
from microsafe.io.control_file import parse_json, parse_toml, read_control_text
from microsafe.plan.read import read_plan
from microsafe.plan.reports import content_of
from microsafe.plan.run import lock_path, run
from microsafe.plan.seeds import seeds_path
from microsafe.progress import Progress
from microsafe.report import (
    Audience,
    Content,
    ReportCover,
    ReportFormat,
    check_report,
    list_formats,
    render_report,
)

_TYPES: Mapping[ReportFormat, str] = {
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
_MOST = 50  # releases that are listed


@dataclass(frozen=True, slots=True, kw_only=True)
class _Released:
    """A release as its lock tells of it."""

    path: Path  # of the plan
    output: Mapping[str, Any]
    files: Mapping[str, str]

    def report(self, audience: Audience) -> str:
        """Return the name of a report, or nothing if none was written."""
        return str(self.output.get("report" if audience == "board" else "public_report", ""))


def set_cover(request: Request[None, ReportCover]) -> StudySummary:
    """Set what stands on the cover of the reports."""
    request.session.study()
    request.session.change_state(lambda state: replace(state, cover=request.body))
    return summarise_study(request)


def list_releases(request: Request[BrowseQuery, None]) -> ReleaseList:
    """List the releases in a folder of the file that is open."""
    opened, _ = request.session.current_file()
    found = []
    with suppress(Refusal):  # a folder that is still to be made has none
        folder = request.session.folders.find_folder(request.query.folder, request.query.path)
        locks = sorted(folder.glob("*.lock"))[:_MOST]
        found = [_read_release(lock.with_suffix(".toml"), opened.sha256) for lock in locks]
    return ReleaseList(
        plans=tuple(
            ReleasedPlan(
                plan=each.path.name,
                file=str(each.output["file"]),
                report=each.report("board"),
                public_report=each.report("public"),
            )
            for each in found
            if each is not None
        ),
        formats=list_formats(),
    )


def open_report(request: Request[None, ReportRequest]) -> ReportLink:
    """Give a report an address that the browser can open."""
    body, session = request.body, request.session
    opened, _ = session.current_file()
    path = session.folders.find_folder(body.folder, body.path) / check_name(body.plan)
    found = _read_release(path, opened.sha256)
    if found is None:
        raise Refusal(
            404, f"{body.plan} is not a release of this file.", "Choose the folder of a release."
        )
    usual = "report" if body.audience == "board" else "public"
    name = Path(found.report(body.audience) or usual).with_suffix(f".{body.format}").name
    if name == Path(found.report(body.audience)).name:
        content = _read_report(path.parent, found.report(body.audience), found)
    else:
        check_report(name)
        told = _repeat_release(found, opened.sha256, body.audience, request.progress)
        content = render_report(told, body.audience, f".{body.format}")
    document = Document(
        name=name, type=_TYPES[body.format], content=content, shown=body.format == "html"
    )
    return ReportLink(address=session.documents.add(document), name=name)


def _read_release(path: Path, sha256: str) -> _Released | None:
    """Return what the lock of a plan tells, if both are there and are about a file."""
    lock = lock_path(path)
    if any(each.is_symlink() or not each.is_file() for each in (path, lock)):
        return None
    try:
        table = parse_json(read_control_text(lock))
        output = parse_toml(table["plan"])["output"]
        if sha256 not in table["input"].values() or not isinstance(output["file"], str):
            return None
        files = {str(name): str(value) for name, value in table["files"].items()}
        return _Released(path=path, output=output, files=files)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _read_report(folder: Path, name: str, found: _Released) -> bytes:
    """Return a report as it was written.

    Raises:
        Refusal: It is not there any more, or is another.
    """
    path = folder / name
    content = b""
    with suppress(OSError):
        content = path.read_bytes() if path.resolve().is_relative_to(folder.resolve()) else b""
    if hashlib.sha256(content).hexdigest() != found.files.get(name):
        raise Refusal(
            409,
            f"{path.name} is gone, or was changed since the release.",
            f"Put it back: microsafe replay {found.path.name}",
        )
    return content


def _repeat_release(
    found: _Released, sha256: str, audience: Audience, progress: Progress
) -> Content:
    """Run a plan once more, and return what its report may say.

    Raises:
        Refusal: It does not give the file that was released.
    """
    path = found.path
    plan = read_plan(path)
    plan = replace(plan, input=replace(plan.input, sha256=sha256))
    # The reports themselves are not needed here.
    quiet = replace(plan, output=replace(plan.output, report="", public_report=""))
    with private_folder() as folder:
        done = run(
            quiet,
            path.parent,
            into=folder,
            reserved=(path, lock_path(path), seeds_path(path)),
            progress=progress,
        )
        file = plan.output.file
        if file not in done.files or done.files[file] != found.files.get(file):
            raise Refusal(
                409,
                f"{path.name} no longer gives the file that was released.",
                f"See what differs: microsafe replay {path.name} --check",
            )
        return content_of(replace(done, plan=plan), audience, progress=progress)
