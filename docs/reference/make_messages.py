"""Make `messages.md`, the catalogue of all notices and errors, from the source.

    uv run python docs/reference/make_messages.py

Notices come from the table in `microsafe.notices`. Errors are found in the syntax tree: every
call of an error class, with the figures in its text as placeholders. A message whose text cannot
be found is refused, so none can be left out.
"""

from __future__ import annotations

import ast
import re
import string
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import microsafe.errors
from microsafe.app.refusal import Refusal
from microsafe.notices import KINDS
from microsafe.sentences import SENTENCES
from microsafe.steps import STEPS, Step

SOURCE = Path(microsafe.errors.__file__).parent
PAGE = Path(__file__).with_name("messages.md")

# Rooms of the package, in the order of the page; a module on the top floor belongs to "study".
ROOMS = {
    "cli": "Command line",
    "app": "App",
    "plan": "Plans and releases",
    "study": "Studies, scenarios and policies",
    "steps": "Protection steps",
    "propose": "Ladders and proposals",
    "compare": "Comparison of before and after",
    "risk": "Risk",
    "report": "Reports",
    "io": "Reading and writing files",
    "engine": "Engines",
}
# What to do where the message itself does not say it.
REMEDIES = {
    "MicrosafeError": "Read the message; it says what is wrong.",
    "UsageError": "Change the option or argument as the message says.",
    "InputError": "Correct the data, or choose other variables.",
    "NoEstimateError": "Use fewer or coarser keys, or another estimator or model.",
    "UnreadableFileError": "Check the name, the folder, the permissions and the format.",
    "FileError": "Check the name, the folder, the permissions and the format.",
    "InventoryError": "Drop or change what must not go out, and keep the rest with a reason.",
    "TornFileError": "Make room on the disk, or write to another one.",
    "UnknownVariableError": "Use a name that the file has; `microsafe describe` lists them.",
    "TooManyCellsError": "Use fewer or coarser keys, or raise `--most-cells` (`most_cells=`).",
    "NotNumericError": "Correct the values, or declare those that mean missing (`--na`, `na=`).",
    "WeightError": "Correct the weights, or name another variable as the weight.",
    "CancelledError": "Nothing; start again when you like.",
    "EnoughError": "Nothing; a search that has found something shows it.",
    "Refusal": "Reload the page. In a script, correct the request.",
    "ArgumentTypeError": "Write the value of the option as the message says.",
    "exit": "Nothing; start again when you like.",
}
# Places that hand on the text of another message, which is in the catalogue itself.
HANDED_ON = {"str(error)", "message"}
IN_PLAN = "Correct the plan as the message says."
HINT = "Use one of the names that the message suggests."


@dataclass(frozen=True, slots=True, order=True)
class Message:
    """A message as the catalogue has it."""

    room: str
    text: str
    kind: str
    remedy: str


class UnknownTextError(Exception):
    """A message whose text is not found in the source."""


def error_names() -> set[str]:
    """Return the names of all classes whose messages people read."""
    classes = (var for var in vars(microsafe.errors).values() if isinstance(var, type))
    ours = {kind.__name__ for kind in classes if issubclass(kind, microsafe.errors.MicrosafeError)}
    return {*ours, Refusal.__name__, "ArgumentTypeError"}


def find_messages() -> list[Message]:
    """Return every error message of the package, without repetition."""
    found = set()
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for scope in _scopes(tree):
            for kind, node in _messages_in(scope):
                where = f"{path.relative_to(SOURCE)}, line {node.lineno}"
                for text in resolve(node, scope, tree, where):
                    found.add(_message(path, kind, text))
    return sorted(found, key=_place)


def _place(message: Message) -> tuple[int, str, Message]:
    return list(ROOMS).index(message.room), message.text.lower(), message


def _scopes(tree: ast.Module) -> Iterator[ast.AST]:
    """Every function, and the module for what stands outside of them."""
    yield tree
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope that belong to no function inside of it."""
    for node in ast.iter_child_nodes(scope):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
            yield from _own(node)


def _messages_in(scope: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    names = error_names()
    for node in _own(scope):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name == "UnknownVariableError":
            continue  # it makes its text itself
        if name == "__init__" and isinstance(scope, ast.FunctionDef) and node.args:
            owner = getattr(node.func, "value", None)
            if isinstance(owner, ast.Call) and "source" in {a.arg for a in scope.args.args}:
                yield "UnknownVariableError", node.args[0]
        elif name in names and node.args:
            # A refusal begins with its status.
            yield name, _join_parts(node.args[1:]) if name == "Refusal" else node.args[0]
        elif name == "complain" and node.args:
            yield "exit", node.args[0]
    if isinstance(scope, ast.FunctionDef) and scope.name == "explain_error":
        for node in _own(scope):
            if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
                yield "exit", node.value.elts[1]


def _join_parts(parts: list[ast.expr]) -> ast.expr:
    """Fact and remedy of a refusal as one text."""
    first, *rest = [part for part in parts if not _is_none(part)]
    for each in rest:
        first = ast.copy_location(ast.BinOp(first, ast.Add(), ast.Constant(" ")), first)
        first = ast.copy_location(ast.BinOp(first, ast.Add(), each), first)
    return first


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def resolve(node: ast.expr, scope: ast.AST, tree: ast.Module, where: str) -> list[str]:
    """Return the texts that an expression can be."""
    match node:
        case ast.Constant(value=str() as text):
            return [text]
        case ast.JoinedStr(values=values):
            return ["".join(map(_part, values))]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            ends = resolve(right, scope, tree, where)
            return [a + b for a in resolve(left, scope, tree, where) for b in ends]
        case ast.IfExp(body=one, orelse=other):
            return [*resolve(one, scope, tree, where), *resolve(other, scope, tree, where)]
        case (
            ast.Call(func=ast.Attribute(value=value, attr="strip" | "removeprefix" | "upper"))
            | ast.Subscript(value=value)
        ):
            return resolve(value, scope, tree, where)
        case ast.Name(id=name):
            values = [
                value for value in _assigned_values(scope, name) if ast.unparse(value) != "''"
            ]
            if values:
                return [text for value in values for text in resolve(value, scope, tree, where)]
        case ast.Call(func=ast.Name(id="Sentence"), args=[ast.Constant(value=str() as key)]):
            return [_placeholders(SENTENCES[key])]
        case ast.Call(func=ast.Name(id=name)):
            for function in ast.walk(tree):
                if isinstance(function, ast.FunctionDef) and function.name == name:
                    answers = [each for each in _own(function) if isinstance(each, ast.Return)]
                    texts = [a.value for a in answers if a.value is not None]
                    return [t for text in texts for t in resolve(text, function, tree, where)]
    if ast.unparse(node).startswith("step.refusals["):
        return sorted({text for kind in STEPS.values() for text in _refusals(kind)})
    if ast.unparse(node) in HANDED_ON:
        return []
    raise UnknownTextError(f"{where}: the text of {ast.unparse(node)} is not found.")


def _refusals(kind: type[Step]) -> Iterator[str]:
    """What a kind of step says of variables that it may not change."""
    for role, text in kind.refusals.items():
        if role not in kind.touches:
            yield _placeholders(text)


def _assigned_values(scope: ast.AST, name: str) -> Iterator[ast.expr]:
    for node in _own(scope):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name) and target.id == name:
                    yield node.value


def _part(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return "{" + _placeholder(getattr(node, "value", node)) + "}"


def _placeholder(node: ast.expr) -> str:
    """A word for a figure in a message."""
    match node:
        case ast.Name(id=name):
            return name.strip("_").replace("_", " ").lower()
        case ast.Attribute(attr=name):
            return name.strip("_").replace("_", " ")
        case ast.Subscript(value=value) | ast.Starred(value=value) | ast.BoolOp(values=[value, *_]):
            return _placeholder(value)
        case ast.Call(func=ast.Name(id="did_you_mean")):
            return "hint"
        case ast.Call(func=ast.Name(id="len")):
            return "number"
        case ast.Call(func=ast.Attribute(attr="join"), args=[value]) | ast.Call(args=[value, *_]):
            return _placeholder(value)
        case ast.Call(func=function):
            return _placeholder(function)
        case ast.GeneratorExp(generators=[ast.comprehension(iter=value), *_]):
            return _placeholder(value)
        case ast.IfExp(body=value):
            return _placeholder(value)
        case ast.Constant(value=value):
            return str(value)
    return "…"


def _message(path: Path, kind: str, text: str) -> Message:
    room = path.relative_to(SOURCE).parts[0]
    fact, _, rest = re.sub(r"\s+", " ", text).strip().partition("{hint}")
    sentences = re.split(r"(?<=[.?!])\s+(?=[A-Z'{])", fact)
    remedy = " ".join([*sentences[1:], *([rest.strip()] if rest.strip() else [])])
    if not remedy:
        in_plan = room == "plan" and kind in ("InputError", "UsageError")
        remedy = HINT if "{hint}" in text else IN_PLAN if in_plan else REMEDIES[kind]
    room = room if room in ROOMS else "study"
    return Message(room=room, text=sentences[0], kind=kind, remedy=remedy)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace(">", "&gt;")


def _placeholders(template: str) -> str:
    """A template of `str.format` with plain names in its braces."""
    parts = string.Formatter().parse(template)
    return "".join(text + (f"{{{name}}}" if name else "") for text, name, _, _ in parts)


def _notice_table() -> Iterator[str]:
    yield "| id | notice | appears if | what to do |"
    yield "|---|---|---|---|"
    for kind in KINDS.values():
        cells = (f"`{kind.id}`", _placeholders(kind.fact), kind.rule, kind.remedy)
        yield f"| {' | '.join(map(_cell, cells))} |"


def _class_table() -> Iterator[str]:
    yield "| error | exit code | what it means | what to do |"
    yield "|---|---|---|---|"
    for name, each in sorted(vars(microsafe.errors).items()):
        if isinstance(each, type) and issubclass(each, microsafe.errors.MicrosafeError):
            usage = issubclass(each, microsafe.errors.UsageError)
            code = 2 if usage else CODES.get(name, 3)
            meaning = (each.__doc__ or "").strip().splitlines()[0]
            yield f"| `{name}` | {code} | {meaning} | {REMEDIES[name]} |"


def make_page() -> str:
    """Return the text of the catalogue."""
    by_room = defaultdict(list)
    for message in find_messages():
        by_room[message.room].append(message)
    lines = [INTRODUCTION, *_notice_table(), "", ERRORS, *_class_table()]
    for room, title in ROOMS.items():
        if by_room[room]:
            lines += ["", f"### {title}", "", "| message | error | what to do |", "|---|---|---|"]
            for each in by_room[room]:
                kind = KIND_WORDS.get(each.kind, f"`{each.kind}`")
                lines.append(f"| {_cell(each.text)} | {kind} | {_cell(each.remedy)} |")
    return "\n".join(lines) + "\n"


CODES = {"CancelledError": 130, "EnoughError": 130, "InventoryError": 1, "NoEstimateError": 1}
KIND_WORDS = {"ArgumentTypeError": "usage", "exit": "message", "Refusal": "app"}
INTRODUCTION = """\
# Messages

Every notice and every error of microsafe, what it means and what to do. Words in braces stand for
names and numbers. No message contains a value of a record.

This page is made by `uv run python docs/reference/make_messages.py`.

## Notices

A notice says what in the file or the scenario makes the figures doubtful, and what to try. It never
stops the work. Notices are in `Risk.notices`, `FileRisk.notices` and `Study.notices`, in the field
`notices` of the JSON, and on standard error after `note:`. The id of a notice (`Notice.id`) stays
the same when its wording changes. [Notices in practice](../methods/notices.md) has examples.
"""
ERRORS = """\
## Errors

The command line prints an error after `microsafe:` and ends with the exit code below. In Python it
is raised as the class named, all of which are in `microsafe.errors`; the app shows it where the
request was made. In the tables, `app` is a refusal of the app's server, `usage` the value of an
option, `message` what is printed with the result or at the end of the work.
"""


if __name__ == "__main__":
    PAGE.write_text(make_page(), "utf-8", newline="\n")
