"""The server: questions in, answers out, as JSON or as a stream of events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request as HttpRequest
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from microsafe.app.bundle import PageFile
from microsafe.app.messages.endpoints import (
    ENDPOINTS,
    CancelAnswer,
    Endpoint,
    JobFailed,
    JobStarted,
)
from microsafe.app.messages.questions import CancelRequest
from microsafe.app.messages.study import StudySummary
from microsafe.app.refusal import Refusal, make_refusal
from microsafe.app.request import Request
from microsafe.app.security import DOCUMENT_HEADERS, DOCUMENTS, App, RequestGuard
from microsafe.app.session import Session
from microsafe.app.views import READY, VIEWS
from microsafe.app.wire import build_body, build_query, encode_message, make_plain, parse_body
from microsafe.app.worker import Job, Worker
from microsafe.progress import Progress, silent

_LARGEST = 1 << 20  # bytes of a body
_ALIVE = 10.0  # seconds between signs of life on a stream
_STREAM = "text/event-stream"


def build_app(session: Session, pages: Mapping[str, PageFile], *, port: int, key: str) -> App:
    """Return the guarded app."""
    worker = Worker()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(worker.close)
        session.close()

    by_path: dict[str, dict[str, Endpoint]] = {}
    for endpoint in ENDPOINTS:
        method, _, path = endpoint.route.partition(" ")
        by_path.setdefault(path, {})[method] = endpoint
    routes = [
        Route(path, _make_handler(session, worker, methods), methods=list(methods))
        for path, methods in by_path.items()
    ]
    routes.append(Route(DOCUMENTS + "{ticket}", _make_document_handler(session), methods=["GET"]))
    routes.append(Route("/{path:path}", _make_page_handler(pages), methods=["GET"]))
    app = Starlette(
        routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _respond_not_found}
    )
    app.router.redirect_slashes = False
    return RequestGuard(app, port=port, key=key)


def _make_page_handler(pages: Mapping[str, PageFile]) -> Any:
    async def serve(request: HttpRequest) -> Response:
        page = pages.get(request.url.path)
        if page is None:
            return _respond_refusal(Refusal(404, "Not found."))
        return Response(page.content, headers={"content-type": page.type})

    return serve


def _make_document_handler(session: Session) -> Any:
    async def serve(request: HttpRequest) -> Response:
        found = session.documents.find(request.path_params["ticket"])
        if found is None:
            return _respond_refusal(
                Refusal(404, "This report is no longer open.", "Open it again in the app.")
            )
        headers = {"content-type": found.type, "content-disposition": found.disposition}
        return Response(found.content, headers=headers | dict(DOCUMENT_HEADERS))

    return serve


async def _respond_not_found(_: HttpRequest, error: Exception) -> Response:
    """Answer what no route takes."""
    assert isinstance(error, HTTPException)  # noqa: S101
    if error.status_code == 405:
        return _respond_refusal(Refusal(405, "Method not allowed."))
    return _respond_refusal(Refusal(404, "Not found."))


def _make_handler(session: Session, worker: Worker, methods: Mapping[str, Endpoint]) -> Any:
    """Return what answers the questions on one path."""

    async def answer(request: HttpRequest) -> Response:
        endpoint = methods["GET" if request.method == "HEAD" else request.method]
        try:
            return await _answer_question(session, worker, endpoint, request)
        except Exception as error:  # every error becomes a sentence; none is logged
            return _respond_refusal(make_refusal(error))

    return answer


async def _answer_question(
    session: Session, worker: Worker, endpoint: Endpoint, request: HttpRequest
) -> Response:
    where = endpoint.route
    query = build_query(endpoint.query, request.query_params.multi_items())
    body = build_body(endpoint.body, await _read_body(request))
    if endpoint.body is CancelRequest:
        return _respond_json(CancelAnswer(running=worker.cancel(body.job, keep=body.keep)))
    seen = request.headers.get("if-match")
    view = VIEWS[where]

    def work(progress: Progress) -> Any:
        if seen is not None and seen != _make_tag(session.state.revision):
            raise Refusal(
                412,
                "The study was changed in another window, so this was not done.",
                "Look at what changed, and try again.",
            )
        return view(Request(session=session, query=query, body=body, progress=progress))

    check_ready = READY.get(where)
    ready = check_ready is not None and check_ready(
        Request(session=session, query=query, body=body)
    )
    if ready or not endpoint.job:
        return _respond_json(await run_in_threadpool(work, silent))
    job = worker.submit(work)
    if _STREAM in request.headers.get("accept", ""):
        return StreamingResponse(_stream_events(job), headers={"content-type": _STREAM})
    while await job.news.get() is not None:
        pass
    return _respond_refusal(job.refusal) if job.refusal else _respond_json(job.answer)


async def _read_body(request: HttpRequest) -> dict[str, Any]:
    """Read a body, which is JSON and not large."""
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > _LARGEST:
            raise Refusal(413, "The request is too long.", "Send at most 1 MB.")
    if request.method not in ("POST", "PUT"):
        if content:
            raise Refusal(400, f"{request.method} takes no body.")
        return {}
    kind = request.headers.get("content-type", "")
    if kind.partition(";")[0].strip().lower() != "application/json":
        raise Refusal(415, "The request must be JSON.", "Send it as application/json.")
    return parse_body(content)


async def _stream_events(job: Job) -> AsyncIterator[bytes]:
    """Tell how a job goes on; if nobody listens any more, it is stopped."""
    try:
        yield _encode_event("started", JobStarted(job=job.number))
        while True:
            try:
                news = await asyncio.wait_for(job.news.get(), _ALIVE)
            except TimeoutError:
                yield b": still at it\n\n"
                continue
            if news is None:
                break
            yield _encode_event("progress", news)
        if job.refusal is None:
            yield _encode_event("done", job.answer)
        else:
            told = {"status": job.refusal.status} | make_plain(job.refusal.problem)
            yield _encode_event("failed", JobFailed(**told))
    finally:
        job.stop()


def _encode_event(name: str, message: object) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), encode_message(message))


def _respond_json(message: object) -> Response:
    headers = {"content-type": "application/json"}
    if isinstance(message, StudySummary):
        headers["etag"] = _make_tag(message.revision)
    return Response(encode_message(message), headers=headers)


def _respond_refusal(refused: Refusal) -> Response:
    return Response(
        encode_message(refused.problem),
        status_code=refused.status,
        headers={"content-type": "application/json"},
    )


def _make_tag(revision: int) -> str:
    return f'"{revision}"'
