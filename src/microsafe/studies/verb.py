"""Verbs of a study from kinds of steps: the same options, checked by type, and the same words."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, Protocol, TypeVar, cast, overload

from microsafe.options.signature import check_names, describe_fields, typed_parameters
from microsafe.progress import Progress, silent
from microsafe.steps.base import Step
from microsafe.studies.core import StudyCore

P = ParamSpec("P")
S = TypeVar("S", bound=StudyCore)
K = TypeVar("K", bound=Step)
Taken = TypeVar("Taken", covariant=True)
_PAGE = re.compile(r"\(([^)#]*)")  # of a link


class BoundVerb(Protocol[P, Taken]):
    """A verb of one study; a `ParamSpec` has no place for a callback beside a step's options."""

    @overload
    def __call__(self, *args: P.args, **options: P.kwargs) -> Taken: ...

    @overload
    def __call__(self, *args: Any, progress: Progress, **options: Any) -> Taken: ...


class Verb(Protocol[P]):
    """A verb as the class has it."""

    @overload
    def __get__(self, study: None, owner: type[S]) -> Callable[..., S]: ...

    @overload
    def __get__(self, study: S, owner: type[S]) -> BoundVerb[P, S]: ...


def verb(find: Callable[[], Callable[P, Step]]) -> Verb[P]:
    """Return the verb that takes a step of a kind, which is loaded when somebody asks for the verb.

    Args:
        find: Returns the class of the step; its options are those of the verb.
    """
    return cast("Verb[P]", _UnloadedVerb(find))


class _UnloadedVerb:
    """Stands in a class for a verb until somebody asks for it."""

    def __init__(self, find: Callable[[], object]) -> None:
        self._find = find

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner, self._name = owner, name

    def __get__(self, study: object, owner: type) -> Any:
        setattr(self._owner, self._name, _make_verb(cast("type[Step]", self._find())))
        return getattr(owner if study is None else study, self._name)


def _make_verb(step: type[Step]) -> Callable[..., StudyCore]:
    """Return the function that is the verb of a kind of step."""

    def take(self: StudyCore, *args: Any, progress: Progress = silent, **options: Any) -> StudyCore:
        check_names(step, step.do, args, options)
        try:
            given = inspect.signature(step).bind_partial(*args, **options).arguments
        except TypeError as error:
            raise TypeError(f"{step.do}() {error}") from None
        return self.apply(make_step(step, given, self), progress=progress)

    more = inspect.Parameter(
        "progress", inspect.Parameter.KEYWORD_ONLY, default=silent, annotation=Progress
    )
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    parts = [own, *typed_parameters(step).values(), more]
    take.__name__, take.__qualname__ = step.do, f"Study.{step.do}"
    take.__doc__ = _describe(step)
    take.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        sorted(parts, key=lambda part: part.kind), return_annotation="Study"
    )
    return take


def make_step(kind: type[K], given: Mapping[str, Any], study: StudyCore) -> K:
    """Return a step with the options that were given, and those that are declared.

    None says nothing where an option is never None.
    """
    known = typed_parameters(kind)
    said = {
        name: each
        for name, each in given.items()
        if each is not None or known[name].default in (None, inspect.Parameter.empty)
    }
    return kind(**{**kind.declared_options(said, study), **said})


def _describe(kind: type[Step]) -> str:
    text = inspect.cleandoc(kind.__doc__ or "").partition("\n\nAttributes:")[0]
    page = _PAGE.search(kind.term.see)
    see = f" See docs/{page[1]}." if page else ""
    first = f"Return the study with one more step: {text[:1].lower()}{text[1:]}{see}"
    indented = first.replace("\n", "\n        ").replace("\n        \n", "\n\n")
    return (
        f"{indented}\n\n        Args:\n{describe_fields(kind, 12)}"
        "            progress: Progress callback.\n        "
    )
