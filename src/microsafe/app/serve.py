"""Serving the app on this machine: one port, one key, one person."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

import uvicorn

from microsafe.app.bundle import read_bundle
from microsafe.app.folders import Folders
from microsafe.app.journal import Reading, read_latest
from microsafe.app.request_timeout import PatientProtocol
from microsafe.app.security import App
from microsafe.app.server import build_app
from microsafe.app.session import Session
from microsafe.app.views.open import enter_file
from microsafe.errors import InputError, UsageError
from microsafe.progress import Progress, silent

_HOST = "127.0.0.1"


def serve(
    file: Path | None,
    *,
    folders: tuple[Path, ...] = (),
    reading: Reading,
    codebook: Path | None = None,
    resume: bool = False,
    port: int = 0,
    browser: bool = True,
    say: Callable[[str], None],
    progress: Progress = silent,
) -> None:
    """Open a file and serve the app until the process is told to stop.

    Args:
        file: File to open at once, if any.
        folders: Folders in which files may be opened and written; by default the current one.
        reading: How the file is read.
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
        Folders(roots=tuple(_resolve_folder(each) for each in folders or (Path.cwd(),)))
    )
    with _open_socket(port) as listener:
        try:
            if resume and file is None:
                left = read_latest()
                file, reading = Path(left.file), left.reading
            if file is not None:
                enter_file(
                    session, file, reading, codebook=codebook, resuming=resume, progress=progress
                )
            key = secrets.token_urlsafe(32)
            used = int(listener.getsockname()[1])
            link = f"http://{_HOST}:{used}/#{key}"
            app = build_app(session, pages, port=used, key=key)
            say(link)
            with TemporaryDirectory(prefix="microsafe-") as folder:
                if browser:
                    _open_browser(link, Path(folder))
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
