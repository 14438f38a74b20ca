"""The plan of a release, and its text in TOML.

Every table is built from the dataclass it stands for, so Python, command line and plan file
know the same words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from html import escape
from typing import Annotated, Any

from microsafe.errors import UsageError
from microsafe.intruders import find_brought_rules
from microsafe.options.declaration import Declarations
from microsafe.options.parameter import Parameter, secrets
from microsafe.options.policy import Policy
from microsafe.options.proposal import ProposalOptions, ProposalTerms
from microsafe.options.reading import KnownPopulation, Reading
from microsafe.options.release import Output
from microsafe.options.scenario import Scenario
from microsafe.options.uses import Uses
from microsafe.plan.lines import Lines, PlanPosition
from microsafe.plan.sections import build_ladder_sources
from microsafe.plan.seeds import seed_hash
from microsafe.report.cover import ReportCover
from microsafe.report.proposed_plan import ProposedPlan
from microsafe.steps.base import Step
from microsafe.variables.decide import Keep

FORMAT = 1
_BARE = re.compile(r"[A-Za-z0-9_-]+")  # words that TOML needs no quotation marks for


@dataclass(frozen=True, kw_only=True)
class InputFile:
    """The file to protect."""

    file: Annotated[
        str,
        Parameter(
            label="Data file", help="Its name relative to the folder of the plan.", control="file"
        ),
    ]
    sha256: Annotated[
        str, Parameter(label="Checksum", help="Another file of that name is refused.")
    ] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Input(KnownPopulation, Reading, InputFile):
    """The file to protect, and how it is read; names are relative to the folder of the plan."""

    join_sha256: Annotated[
        str, Parameter(label="Checksum of the file of households", only_with="join")
    ] = ""

    def __post_init__(self) -> None:
        """Validate the fields."""
        for part in fields(Reading):  # an empty text says as little as none
            if getattr(self, part.name) == "":
                object.__setattr__(self, part.name, None)
        if bool(self.join) != bool(self.on) or (not self.join and self.join_sheet):
            raise UsageError("'join' names the file of households and 'on' its key: give both.")

    @property
    def checksums(self) -> dict[str, str]:
        """Checksums of the files that the records are from."""
        return {self.file: self.sha256} | ({self.join: self.join_sha256} if self.join else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Propose(ProposalTerms):
    """`[propose]` of a plan: what a proposal may do, and what it found.

    It is no step: `protect` reads and checks it, and does nothing with it but tell the board why
    the steps are what they are. Ladders are as they were read.
    """

    result: ProposedPlan | None = None

    def __post_init__(self) -> None:
        """Refuse what no proposal could do."""
        ProposalTerms.__post_init__(self)
        self.options("[propose]")

    def options(self, where: str | PlanPosition = "[propose.ladders]") -> ProposalOptions:
        """Return what is asked for, with ladders that can be built."""
        terms = {part.name: getattr(self, part.name) for part in fields(ProposalTerms)}
        return ProposalOptions(**{**terms, "ladders": build_ladder_sources(self.ladders, where)})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Plan:
    """A release: what is read, under which scenarios, asked for, done, kept and written.

    `utility` says which uses the loss is measured by, and `propose` what a proposal of steps may
    do; nothing is run by them. `lines` are those of its tables, if it was read from a file.
    """

    input: Input
    variables: Declarations = field(default_factory=dict)
    scenarios: tuple[Scenario, ...]
    policy: Policy = field(default_factory=Policy)
    steps: tuple[Step, ...] = ()
    keep: tuple[Keep, ...] = ()
    report: ReportCover = field(default_factory=ReportCover)
    output: Output
    utility: Uses | None = None
    propose: Propose | None = None
    lines: Lines = field(default_factory=dict, compare=False, repr=False)

    def place(self, words: str, name: str) -> PlanPosition:
        """Return where a table stands: what messages call it, and the name in its heading."""
        return PlanPosition(words, self.lines.get(name, {}))

    def __repr__(self) -> str:
        """Return the plan as TOML, a hash in the place of each seed."""
        return plan_text(self, hide_seeds=True)

    def _repr_html_(self) -> str:
        """Return the same for a notebook."""
        return f"<pre>{escape(repr(self))}</pre>"


def plan_text(plan: Plan, *, hide_seeds: bool = False) -> str:
    """Return a plan as TOML; reading it gives the same plan.

    Args:
        plan: To be written.
        hide_seeds: Whether a hash, in a comment, takes the place of each seed.
    """
    parts = [f"microsafe = {FORMAT}", table_text("[input]", plan.input)]
    parts += variables_text(plan.variables)
    for number, scenario in enumerate(plan.scenarios):
        heading = f"[scenarios.{quote_text(scenario.name)}]" if number else "[scenario]"
        parts.append(table_text(heading, scenario, leave=scenario.unsaid))
    if plan.policy != Policy():
        parts += policy_text(plan.policy)
    parts += [*_utility_text(plan.utility), *_propose_text(plan.propose)]
    salt = plan.input.sha256 if hide_seeds else None
    for number, step in enumerate(plan.steps, 1):
        hidden = _hashes(step, secrets(type(step)), salt, f"step {number}")
        heading = f"[[step]]\ndo = {quote_text(step.do)}"
        parts.append(table_text(heading, step, hidden=hidden))
    parts += [table_text("[[keep]]", decision) for decision in plan.keep]
    if plan.report != ReportCover():
        parts.append(table_text("[report]", plan.report))
    hidden = _hashes(plan.output, ("shuffle",), salt, "output")
    parts.append(table_text("[output]", plan.output, hidden=hidden))
    return "\n\n".join(parts) + "\n"


def policy_text(policy: Policy) -> list[str]:
    """Return the tables of a policy; rules that intruders bring along stand among the others."""
    brought = find_brought_rules()
    lines = {rule: f"{_bare_word(rule)} = {_toml(x)}" for rule, x in policy.intruders.items()}
    heading = [
        table_text("[policy]", policy, leave=("intruders",)),
        *(line for rule, line in lines.items() if rule in brought),
    ]
    others = [line for rule, line in lines.items() if rule not in brought]
    return ["\n".join(heading), *(["\n".join(["[policy.intruders]", *others])] if others else [])]


def variables_text(said: Declarations) -> list[str]:
    """Return the tables of what is said of variables."""
    return [table_text(f"[variables.{_bare_word(name)}]", value) for name, value in said.items()]


def _utility_text(uses: Uses | None) -> list[str]:
    """The tables of the uses that matter."""
    if uses is None:
        return []
    return [
        table_text("[utility]", uses, leave=("tables", "models")),
        *(table_text("[[utility.tables]]", table) for table in uses.tables),
        *(table_text("[[utility.models]]", model) for model in uses.models),
    ]


def _propose_text(asked: Propose | None) -> list[str]:
    """The tables of what a proposal may do, and of what it found."""
    if asked is None:
        return []
    parts = [table_text("[propose]", asked, leave=("ladders", "result"))]
    tables: dict[str, Mapping[str, object]] = {"ladders": asked.ladders}
    if asked.result is not None:
        tables["result"] = _result_table(asked.result)
    for name, table in tables.items():
        lines = [f"{_bare_word(word)} = {_toml(value)}" for word, value in table.items()]
        parts += ["\n".join([f"[propose.{name}]", *lines])] if lines else []
    if asked.result is not None:
        rows = [f"  {_toml(row)}," for row in _frontier_rows(asked.result)]
        parts[-1] = "\n".join([parts[-1], "frontier = [", *rows, "]"])
    return parts


def _bare_word(word: str) -> str:
    return word if _BARE.fullmatch(word) else quote_text(word)


def _hashes(value: object, names: Sequence[str], salt: str | None, where: str) -> Mapping[str, str]:
    """Hashes of the seeds that a part of a plan has; none without a salt."""
    if salt is None:
        return {}
    found = {name: getattr(value, name) for name in names}
    return {
        name: seed_hash(seed, f"{salt} {where} {name}")
        for name, seed in found.items()
        if seed is not None
    }


def _result_table(found: ProposedPlan) -> dict[str, Any]:
    """Return what was found as a table of a plan, without the frontier."""
    table = {part.name: getattr(found, part.name) for part in fields(found)}
    return {
        word: value for word, value in table.items() if word != "frontier" and value is not None
    }


def _frontier_rows(found: ProposedPlan) -> list[dict[str, Any]]:
    """Return the plans of a frontier as tables; which was not taken, or not known, is not said."""
    rows = [{part.name: getattr(row, part.name) for part in fields(row)} for row in found.frontier]
    return [
        {word: value for word, value in row.items() if value is not False and value is not None}
        for row in rows
    ]


def changed_fields(value: object, *, leave: Sequence[str] = ()) -> dict[str, object]:
    """The fields of a value that differ from their defaults."""
    found = {}
    for each in fields(value):  # type: ignore[arg-type]
        default = each.default_factory() if each.default_factory is not MISSING else each.default
        now = getattr(value, each.name)
        if each.name not in leave and now != default:
            found[each.name] = now
    return found


def table_text(
    heading: str,
    value: object,
    *,
    leave: Sequence[str] = (),
    hidden: Mapping[str, str] | None = None,
) -> str:
    """Return a table of a plan: the fields of a value that differ from their defaults."""
    hidden = hidden or {}
    lines = [
        f"# {name} is secret; hash {hidden[name]}" if name in hidden else f"{name} = {_toml(part)}"
        for name, part in changed_fields(value, leave=leave).items()
    ]
    return "\n".join([heading, *lines])


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return quote_text(value)
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{quote_text(str(k))} = {_toml(v)}" for k, v in value.items()) + " }"
        )
    if isinstance(value, tuple | list):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    raise UsageError("A plan can only hold texts, numbers and lists of them.")


def quote_text(text: str) -> str:
    """Return text as TOML has it."""
    # JSON strings are TOML strings, but for DEL, which TOML wants escaped.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
