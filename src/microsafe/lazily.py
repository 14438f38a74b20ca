"""Names of a package that are loaded when they are first asked for.

So nobody waits for what he does not use. A package says where its names are:

    if not TYPE_CHECKING:  # which would take any name for one of ours
        __getattr__ = load_lazily(__name__, _MODULES)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module


def load_lazily(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package.

    Args:
        package: Its name, for who asks for a name that it does not have.
        modules: For each of its names the module that has it, as seen from `microsafe`.
    """

    def load(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"microsafe.{modules[name]}"), name)

    return load
