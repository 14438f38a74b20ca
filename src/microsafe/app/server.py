"""The server: questions in, answers out, as JSON or as a stream of events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from microsafe.app.ask import Ask
from microsafe.app.bundle import Page
from microsafe.app.messages.endpoints import ENDPOINTS, Cancelled, Endpoint, Failed, Started
from microsafe.app.messages.questions import Cancel
from microsafe.app.messages.study import StudySummary
from microsafe.app.refusal import Refused, refusal
from microsafe.app.security import App, Door
from microsafe.app.session import Session
from microsafe.app.views import KNOWN, VIEWS
from microsafe.app.wire import body_of, encoded, parsed, plain, query_of
from microsafe.app.worker import Job, Worker
from microsafe.progress import Progress, silent

_LARGEST = 1 << 20  # bytes of a body
_ALIVE = 10.0  # seconds between signs of life on a stream
_STREAM = "text/event-stream"


def application(session: Session, pages: Mapping[str, Page], *, port: int, key: str) -> App:
    """Return the app, door and all."""
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
        Route(path, _questions(session, worker, methods), methods=list(methods))
        for path, methods in by_path.items()
    ]
    routes.append(Route("/{path:path}", _pages(pages), methods=["GET"]))
    app = Starlette(
        routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _no_such_thing}
    )
    app.router.redirect_slashes = False
    return Door(app, port=port, key=key)


def _pages(pages: Mapping[str, Page]) -> Any:
    async def serve(request: Request) -> Response:
        page = pages.get(request.url.path)
        if page is None:
            return _refused(Refused(404, "There is nothing of that name here."))
        return Response(page.content, headers={"content-type": page.type})

    return serve


async def _no_such_thing(_: Request, error: Exception) -> Response:
    """Answer what no route takes."""
    assert isinstance(error, HTTPException)  # noqa: S101
    if error.status_code == 405:
        return _refused(Refused(405, "That cannot be done here."))
    return _refused(Refused(404, "There is nothing of that name here."))


def _questions(session: Session, worker: Worker, methods: Mapping[str, Endpoint]) -> Any:
    """Return what answers the questions on one path."""

    async def answer(request: Request) -> Response:
        endpoint = methods["GET" if request.method == "HEAD" else request.method]
        try:
            return await _answered(session, worker, endpoint, request)
        except Exception as error:  # every error becomes a sentence; none is logged
            return _refused(refusal(error))

    return answer


async def _answered(
    session: Session, worker: Worker, endpoint: Endpoint, request: Request
) -> Response:
    where = endpoint.route
    query = query_of(endpoint.query, request.query_params.multi_items())
    body = body_of(endpoint.body, await _body(request))
    if endpoint.body is Cancel:
        return _json(Cancelled(running=worker.cancel(body.job)))
    seen = request.headers.get("if-match")
    view = VIEWS[where]

    def work(progress: Progress) -> Any:
        if seen is not None and seen != _tag(session.state.revision):
            raise Refused(412, "The study was changed in another window.", "Look at it again.")
        return view(Ask(session=session, query=query, body=body, progress=progress))

    known = KNOWN.get(where)
    ready = known is not None and known(Ask(session=session, query=query, body=body))
    if ready or not endpoint.job:
        return _json(await run_in_threadpool(work, silent))
    job = worker.submit(work)
    if _STREAM in request.headers.get("accept", ""):
        return StreamingResponse(_events(job), headers={"content-type": _STREAM})
    while await job.news.get() is not None:
        pass
    return _refused(job.refused) if job.refused else _json(job.answer)


async def _body(request: Request) -> dict[str, Any]:
    """Read a body, which is JSON and not large."""
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > _LARGEST:
            raise Refused(413, "That is too long.", "Send at most 1 MB.")
    if request.method not in ("POST", "PUT"):
        if content:
            raise Refused(400, f"{request.method} takes no body.")
        return {}
    kind = request.headers.get("content-type", "")
    if kind.partition(";")[0].strip().lower() != "application/json":
        raise Refused(415, "Only JSON is understood.", "Send it as application/json.")
    return parsed(content)


async def _events(job: Job) -> AsyncIterator[bytes]:
    """Tell how a job goes on; if nobody listens any more, it is stopped."""
    try:
        yield _event("started", Started(job=job.number))
        while True:
            try:
                news = await asyncio.wait_for(job.news.get(), _ALIVE)
            except TimeoutError:
                yield b": still at it\n\n"
                continue
            if news is None:
                break
            yield _event("progress", news)
        if job.refused is None:
            yield _event("done", job.answer)
        else:
            told = {"status": job.refused.status} | plain(job.refused.problem)
            yield _event("failed", Failed(**told))
    finally:
        job.stop()


def _event(name: str, message: object) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), encoded(message))


def _json(message: object) -> Response:
    headers = {"content-type": "application/json"}
    if isinstance(message, StudySummary):
        headers["etag"] = _tag(message.revision)
    return Response(encoded(message), headers=headers)


def _refused(refused: Refused) -> Response:
    return Response(
        encoded(refused.problem),
        status_code=refused.status,
        headers={"content-type": "application/json"},
    )


def _tag(revision: int) -> str:
    return f'"{revision}"'
