"""The command line."""

from microsafe.cli.main import main

__all__ = ["main"]
