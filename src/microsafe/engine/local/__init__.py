"""The embedded engine: everything on this machine."""

from microsafe.engine.local.engine import Local
from microsafe.engine.local.open import open_local

__all__ = ["Local", "open_local"]
