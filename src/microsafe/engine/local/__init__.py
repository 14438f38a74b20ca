"""The embedded engine: everything on this machine."""

from microsafe.engine.local.engine import LocalEngine
from microsafe.engine.local.open import open_local

__all__ = ["LocalEngine", "open_local"]
