"""What `app` does."""

from __future__ import annotations

import argparse
import sys

from microsafe.cli.console import Console


def app(chosen: argparse.Namespace, console: Console) -> int:
    """Serve the app until it is stopped, which is how it is meant to end."""
    # The server is imported when it is asked for: no other command needs it.
    from microsafe.app.journal import Reading
    from microsafe.app.serve import serve

    reading = Reading(
        meta=str(chosen.meta.resolve()) if chosen.meta else "",
        encoding=chosen.encoding or "",
        separator=chosen.separator or "",
        comment=chosen.comment or "",
        na=chosen.na,
        sheet=chosen.sheet or "",
        decimal=chosen.decimal or "",
        thousands=chosen.thousands or "",
        join=str(chosen.join.resolve()) if chosen.join else "",
        on=chosen.on or "",
        join_sheet=chosen.join_sheet or "",
    )

    def print_link(link: str) -> None:
        if chosen.json:
            console.print_json({"link": link})
        else:
            console.say(link)
        sys.stdout.flush()

    serve(
        chosen.file,
        folders=tuple(chosen.folder),
        reading=reading,
        codebook=chosen.codebook,
        resume=chosen.resume,
        port=chosen.port,
        browser=not chosen.no_browser,
        say=print_link,
        progress=console.progress,
    )
    return 0
