"""One-line changes of Python source that a test should notice.

Comparisons move by one, arithmetic and Boolean operators change into their opposites, numbers
grow, conditions are fixed, statements vanish. What no test can see is left alone: annotations,
decorators, messages, and functions that draw (their signature names an `Axes`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

_COMPARISONS = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"),
}  # fmt: skip
_OPERATORS = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"), ast.Mod: ("%", "+"), ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"), ast.BitXor: ("^", "&"),
    ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"),
}  # fmt: skip
_NAMES = {
    "min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "any": "all",
    "all": "any", "floor": "ceil", "ceil": "floor", "argmin": "argmax", "argmax": "argmin",
}  # fmt: skip
_IDLE = ("Raise", "Continue", "Break", "AugAssign", "Expr", "Assign", "Return")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A change of one place of a source.

    Attributes:
        line: Where it begins.
        lines: First and last line of the statement around it.
        start: Offset in the source of what is replaced.
        end: Where that ends.
        new: What takes its place.
        module_level: Whether it stands outside of all functions, so that importing runs it.
    """

    line: int
    lines: tuple[int, int]
    start: int
    end: int
    new: str
    module_level: bool

    def apply(self, source: str) -> str:
        """Return the changed source."""
        return source[: self.start] + self.new + source[self.end :]

    def describe(self, source: str) -> str:
        """Show the line before and after."""
        first = source.rfind("\n", 0, self.start) + 1
        last = source.find("\n", self.end)
        old = " ".join(source[first:last].split())
        new = " ".join((source[first : self.start] + self.new + source[self.end : last]).split())
        return f"{old}  ->  {new}"


def mutants(source: str) -> list[Mutant]:
    """List the changes of a source, in the order of their places."""
    found = {(each.start, each.end, each.new): each for each in _Walk(source).module()}
    return sorted(found.values(), key=lambda each: (each.start, each.end, each.new))


class _Walk:
    def __init__(self, source: str) -> None:
        self.source = source
        starts = [0]
        for text in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(text))
        self._starts, self._texts = starts, source.splitlines(keepends=True)
        self._statement: ast.stmt | None = None
        self._inside = False

    def module(self) -> Iterator[Mutant]:
        for statement in ast.parse(self.source).body:
            yield from self.visit(statement)

    def visit(self, node: ast.AST) -> Iterator[Mutant]:
        """Yield the changes of a node and of all that it contains."""
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.arg)) or _is_text(node):
            return
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield from self._definition(node)
            return
        outer = self._statement
        if isinstance(node, ast.stmt):
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                return
            self._statement = node
            yield from self._without(node)
        yield from self._changed(node)
        hidden = {id(getattr(node, name, None)) for name in ("annotation", "returns")}
        if isinstance(node, ast.Raise):  # its words
            hidden |= {id(node.exc), id(node.cause)}
        for child in ast.iter_child_nodes(node):
            if id(child) not in hidden:
                yield from self.visit(child)
        self._statement = outer

    def _definition(self, node: ast.FunctionDef | ast.ClassDef) -> Iterator[Mutant]:
        if isinstance(node, ast.FunctionDef):
            signature = [node.returns, *(each.annotation for each in node.args.args)]
            if any(each is not None and "Axes" in ast.unparse(each) for each in signature):
                return
            self._statement = node
            for default in [*node.args.defaults, *node.args.kw_defaults]:
                yield from self.visit(default) if default is not None else ()
        inside, self._inside = self._inside, self._inside or isinstance(node, ast.FunctionDef)
        for statement in node.body:
            yield from self.visit(statement)
        self._inside = inside

    def _changed(self, node: ast.AST) -> Iterator[Mutant]:
        match node:
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                sides = [left, *comparators]
                for a, op, b in zip(sides, ops, comparators, strict=False):
                    yield from self._between(a, b, *_COMPARISONS[type(op)])
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                if not (_is_text(left) or _is_text(right)):
                    yield from self._between(left, right, *_OPERATORS[type(op)])
            case ast.AugAssign(target=target, op=op, value=value) if type(op) in _OPERATORS:
                old, new = _OPERATORS[type(op)]
                yield from self._between(target, value, old + "=", new + "=")
            case ast.BoolOp(op=op, values=values):
                words = ("and", "or") if isinstance(op, ast.And) else ("or", "and")
                for a, b in pairwise(values):
                    yield from self._between(a, b, *words)
            case ast.UnaryOp(op=op):
                start = self._at(node)[0]
                yield self._mutant(start, start + (4 if isinstance(op, ast.Not) else 1), "")
            case ast.Constant(value=bool(value)):
                yield self._mutant(*self._at(node), str(not value))
            case ast.Constant(value=int(value)):
                yield self._mutant(*self._at(node), str(value + 1))
            case ast.Constant(value=float(value)):
                yield self._mutant(*self._at(node), repr(2 * value if value else 1.0))
            case ast.If(test=test) | ast.IfExp(test=test):
                yield self._mutant(*self._at(test), "True")
                yield self._mutant(*self._at(test), "False")
            case ast.Name(id=name) if name in _NAMES:
                yield self._mutant(*self._at(node), _NAMES[name])
            case ast.Attribute(attr=name) if name in _NAMES:
                end = self._at(node)[1]
                yield self._mutant(end - len(name), end, _NAMES[name])

    def _without(self, node: ast.stmt) -> Iterator[Mutant]:
        """The statement gone, where that leaves something to run."""
        if type(node).__name__ not in _IDLE or not self._inside:
            return
        if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call):
            return
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Name, ast.Tuple)):
            return
        yield self._mutant(*self._at(node), "pass")

    def _between(self, a: ast.AST, b: ast.AST, old: str, new: str) -> Iterator[Mutant]:
        """Change the operator that stands between two nodes."""
        gap_start, gap_end = self._at(a)[1], self._at(b)[0]
        gap = self.source[gap_start:gap_end]
        place = gap.find(old)
        if place >= 0 and "#" not in gap:
            start = gap_start + place
            yield self._mutant(start, start + len(old), new)

    def _at(self, node: ast.AST) -> tuple[int, int]:
        """Offsets in the source; the columns of `ast` are bytes of UTF-8."""
        ends = []
        for line, column in (
            (node.lineno, node.col_offset),  # type: ignore[attr-defined]
            (node.end_lineno, node.end_col_offset),  # type: ignore[attr-defined]
        ):
            text = self._texts[line - 1].encode()[:column].decode()
            ends.append(self._starts[line - 1] + len(text))
        return ends[0], ends[1]

    def _mutant(self, start: int, end: int, new: str) -> Mutant:
        statement = self._statement
        line = self.source.count("\n", 0, start) + 1
        last = line
        if statement is not None:
            # Of a compound statement only the head: its body is run by fewer tests.
            body = getattr(statement, "body", None)
            last = body[0].lineno - 1 if body else statement.end_lineno or line
        first = min(statement.lineno, line) if statement is not None else line
        return Mutant(
            line=line,
            lines=(first, max(first, line, last)),
            start=start,
            end=end,
            new=new,
            module_level=not self._inside,
        )


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
