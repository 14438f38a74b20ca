"""Serving the app on this machine: one port, one key, one person."""

from __future__ import annotations

import asyncio
import secrets
import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from html import escape
from pathlib import Path

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from microsafe.app.bundle import read_bundle
from microsafe.app.folders import Folders
from microsafe.app.journal import read_latest
from microsafe.app.routes import build_app
from microsafe.app.security import App
from microsafe.app.session import Session
from microsafe.app.views.open import enter_file
from microsafe.errors import InputError, UsageError
from microsafe.io.atomic import private_folder
from microsafe.plan.model import Input
from microsafe.progress import Progress, silent

_HOST = "127.0.0.1"


def serve(
    given: Input | None,
    *,
    folders: tuple[Path, ...] = (),
    codebook: Path | None = None,
    resume: bool = False,
    port: int = 0,
    browser: bool = True,
    say: Callable[[str], None],
    progress: Progress = silent,
) -> None:
    """Open a file and serve the app until the process is told to stop.

    Args:
        given: File to open at once, if any, and how it is read.
        folders: Folders in which files may be opened and written; by default the current one.
        codebook: What variables are, if it is not a session that is resumed.
        resume: Whether to resume the last session.
        port: Port to listen on; any free one if 0.
        browser: Whether to open the link.
        say: Called with the link once the app listens.
        progress: Progress callback while the file is opened.

    Raises:
        InputError: The page, the file or a folder is missing, the file is open in another
            window, or it has changed since the session was saved.
    """
    pages = read_bundle()
    session = Session(
        Folders(roots=tuple(_resolve_folder(folder) for folder in folders or (Path.cwd(),)))
    )
    with _open_socket(port) as listener:
        try:
            if resume and given is None:
                given = read_latest().plan.input
            if given is not None:
                enter_file(session, given, codebook=codebook, resuming=resume, progress=progress)
            key = secrets.token_urlsafe(32)
            used = int(listener.getsockname()[1])
            link = f"http://{_HOST}:{used}/#{key}"
            app = build_app(session, pages, port=used, key=key)
            with private_folder() as folder:  # what a killed process left is gone by now
                say(link)
                if browser:
                    _open_browser(link, folder)
                with suppress(KeyboardInterrupt):  # how the app is meant to end
                    make_server(app).run(sockets=[listener])
        finally:
            session.close()


def _resolve_folder(path: Path) -> Path:
    found = path.resolve()
    if not found.is_dir():
        raise InputError(f"The folder {path} does not exist. Choose another with --folder.")
    return found


def _open_socket(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.bind((_HOST, port))
    except (OSError, OverflowError):
        listener.close()
        raise UsageError(f"Port {port} is in use. Leave out --port to use any free port.") from None
    listener.listen(64)
    return listener


def _open_browser(link: str, folder: Path) -> None:
    """Open the link by way of a file: other users of the machine can read command lines."""
    page = folder / "open.html"
    page.touch(mode=0o600)
    page.write_text(f'<meta http-equiv="refresh" content="0; url={escape(link)}">\n', "utf-8")
    webbrowser.open(page.as_uri())


def make_server(app: App) -> uvicorn.Server:
    """Return what serves the app: it logs nothing and tells nobody what it is."""
    config = uvicorn.Config(
        app,
        http=PatientProtocol,
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=1,
    )
    return uvicorn.Server(config)


PATIENCE = 10.0  # seconds from the first byte of a request to its last


class PatientProtocol(H11Protocol):
    """HTTP with a limit on how long a request may take to come in."""

    _end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request; the time does not begin anew with each."""
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if not self._is_unfinished():
            self._stop_waiting()
        elif self._end is None:
            self._end = self.loop.call_later(PATIENCE, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._end is not None:
            self._end.cancel()
            self._end = None

    def _is_unfinished(self) -> bool:
        state = self.conn.their_state
        begun = self.cycle is None or bool(self.conn.trailing_data[0])
        return state is h11.SEND_BODY or (state is h11.IDLE and begun)
