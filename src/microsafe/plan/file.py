"""Plan files: a release as TOML that anyone can read, change and replay. Formats 1 and 2.

Every table is built from the dataclass it stands for, so Python, command line and plan file
know the same words; a word that nobody knows is refused with a hint. Format 2 has decisions on all
variables (`[[keep]]`) and on the order of the records; format 1 is read for ever.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from html import escape
from pathlib import Path
from typing import Any

from microsafe.draws import check_seed
from microsafe.errors import InputError, UsageError, did_you_mean
from microsafe.options.declaration import Declarations
from microsafe.options.parameter import secrets
from microsafe.options.policy import GIVEN_AWAY, Policy
from microsafe.options.scenario import Scenario
from microsafe.options.uses import Uses
from microsafe.plan.lines import Lines, Place, find_lines, syntax_line
from microsafe.plan.proposal_section import Propose, build_propose, frontier_rows, result_table
from microsafe.plan.sections import build_uses, build_variables, fill_scenario
from microsafe.plan.seeds import fill_seeds, keep_seeds, seed_hash
from microsafe.plan.values import build_step, build_value
from microsafe.report.cover import ReportCover
from microsafe.steps import STEPS
from microsafe.steps.base import Step
from microsafe.studies.protect import ProtectVerbs
from microsafe.variables.decide import Keep, reasons_to_keep

FORMAT = 2  # of new plans
_BARE = re.compile(r"[A-Za-z0-9_-]+")  # words that TOML needs no quotation marks for


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """The file to protect; names are relative to the folder of the plan.

    Attributes:
        file: Its name.
        sha256: Checksum of its bytes; another file of that name is refused.
        meta: Metadata of a mu-ARGUS file, if not beside it.
        encoding: Of a text file.
        separator: Of a text file.
        comment: What lines of a text file begin with that are left out.
        na: Texts that stand for missing.
        sheet: Of a workbook.
        decimal: Decimal mark of numbers that are written as text.
        thousands: Their thousands mark.
        join: File of the households of the persons in `file`, if there is one.
        on: Variable of both files that tells households apart.
        join_sheet: Of a workbook of households.
        join_sha256: Checksum of the file of households.
        population: Known counts of the population for the keys, as a check on the input.
        population_count: Their variable with the number of people; a row is a person if empty.
    """

    file: str
    sha256: str = ""
    meta: str = ""
    encoding: str = ""
    separator: str = ""
    comment: str = ""
    na: tuple[str, ...] = ()
    sheet: str = ""
    decimal: str = ""
    thousands: str = ""
    join: str = ""
    on: str = ""
    join_sheet: str = ""
    join_sha256: str = ""
    population: str = ""
    population_count: str = ""

    def __post_init__(self) -> None:
        """Validate the fields."""
        if bool(self.join) != bool(self.on) or (not self.join and self.join_sheet):
            raise UsageError("'join' names the file of households and 'on' its key: give both.")

    @property
    def checksums(self) -> dict[str, str]:
        """Checksums of the files that the records are from."""
        return {self.file: self.sha256} | ({self.join: self.join_sha256} if self.join else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What to write; names are relative to the folder of the plan.

    Attributes:
        file: The safe file.
        report: Report for the board (.html, .pdf or .docx), or empty.
        public_report: Report for the public, likewise.
        codebook: Codebook for users of the file (.csv, .xml or .rda), or empty.
        notes: Whether the file's own notes are kept. If absent they are not; in format 1 they are.
        blanks: Missing code to write for what is missing, by variable.
        shuffle: Seed of a new order of the records. If absent, it is drawn and kept beside the
            plan; in format 1 records then stay in the order of the input.
        keep_order: Reason to keep the order of the input (format 2).
    """

    file: str
    report: str = ""
    public_report: str = ""
    codebook: str = ""
    notes: bool | None = None
    blanks: Mapping[str, str | int | float] = field(default_factory=dict)
    shuffle: int | None = field(default=None, repr=False)
    keep_order: str = ""

    def __post_init__(self) -> None:
        """Validate the fields."""
        if self.shuffle is None:
            return
        check_seed(self.shuffle, "of a shuffle")
        if self.keep_order:
            raise UsageError("Records are shuffled, or their order is kept: not both.")


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
    format: int = FORMAT
    lines: Lines = field(default_factory=dict, compare=False, repr=False)

    def place(self, words: str, name: str) -> Place:
        """Return where a table stands: what messages call it, and the name in its heading."""
        return Place(words, self.lines.get(name, {}))

    def __repr__(self) -> str:
        """Return the plan as TOML, a hash in the place of each seed."""
        return plan_text(self, hide_seeds=True)

    def _repr_html_(self) -> str:
        """Return the same for a notebook."""
        return f"<pre>{escape(repr(self))}</pre>"

    @property
    def keeps_notes(self) -> bool:
        """Whether notes that the file carries about itself go out."""
        return self.format == 1 if self.output.notes is None else self.output.notes


def read_plan(path: Path, *, draw_seeds: bool = False, save_seeds: bool = True) -> Plan:
    """Read a plan file, and refuse what is not understood.

    Args:
        path: Of the plan.
        draw_seeds: Whether to draw seeds that the plan leaves out.
        save_seeds: Whether to keep those beside it.

    Raises:
        InputError: The file is no TOML, or of a later format.
        UsageError: A word or value is not understood.
    """
    try:
        text = path.read_text("utf-8")
        table = tomllib.loads(text)
    except FileNotFoundError:
        raise InputError(f"There is no plan {path.name}.") from None
    except tomllib.TOMLDecodeError as error:
        line = syntax_line(str(error))
        raise InputError(f"{path.name} is not a plan in TOML. Check its syntax{line}.") from None
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{path.name} is not a plan in TOML. Check its syntax.") from None
    drawn = fill_seeds(table, path, draw=draw_seeds)
    plan = build_plan(table, path, find_lines(text))
    if drawn and save_seeds:
        keep_seeds(drawn, path)
    return plan


def build_plan(table: dict[str, Any], path: Path, lines: Lines | None = None) -> Plan:
    """Make a plan of what was read, and refuse what is not understood.

    Args:
        table: As it was read, with its seeds.
        path: Of the plan.
        lines: Where its tables are.
    """
    version = table.pop("microsafe", None)
    if repr(version) not in ("1", "2"):
        raise InputError(f"{path.name} must begin with 'microsafe = {FORMAT}', its format.")
    known = (
        "input", "variables", "scenario", "scenarios", "policy", "utility", "propose", "step",
        "keep", "report", "output",
    )  # fmt: skip
    for word in table:
        if word not in known:
            raise UsageError(f"{path.name}: there is no table {word!r}.{did_you_mean(word, known)}")
    where = path.name

    def place(words: str, name: str) -> Place:
        return Place(f"{where} {words}", (lines or {}).get(name, {}))

    _refuse_later_words(table, version, where)
    for word, kind in (("scenario", dict), ("scenarios", dict), ("step", list), ("keep", list)):
        if not isinstance(table.get(word, kind()), kind):
            raise UsageError(f"{where}: {word!r} has a value of the wrong kind.")
    others = table.get("scenarios", {})
    if "main" in others or "" in others:
        raise UsageError(f"{where}: a further scenario needs a name of its own, not 'main'.")
    said = build_variables(table, place)
    named = {"main": fill_scenario(table.get("scenario", {}), said), **others}
    policy = build_value(Policy, table.get("policy", {}), place("[policy]", "policy"))
    try:
        policy.check_scenarios(named)
    except UsageError as error:
        raise UsageError(f"{place('[policy]', 'policy')}: {error}") from None
    return Plan(
        input=build_value(Input, table.get("input", {}), place("[input]", "input")),
        variables=said,
        scenarios=tuple(
            build_value(
                Scenario,
                _insert_name(name, each),
                place(f"[scenario {name}]", f"scenarios.{name}" if name in others else "scenario"),
            )
            for name, each in named.items()
        ),
        policy=policy,
        steps=tuple(
            build_step(each, place(f"[[step]] {number}", f"step {number}"), version=version)
            for number, each in enumerate(table.get("step", []), 1)
        ),
        keep=tuple(
            build_value(Keep, each, place(f"[[keep]] {number}", f"keep {number}"))
            for number, each in enumerate(table.get("keep", []), 1)
        ),
        report=build_value(ReportCover, table.get("report", {}), place("[report]", "report")),
        output=build_value(Output, table.get("output", {}), place("[output]", "output")),
        utility=build_uses(table["utility"], place) if "utility" in table else None,
        propose=_build_propose(table, place),
        format=version,
        lines=lines or {},
    )


def _build_propose(table: Mapping[str, Any], place: Callable[[str, str], Place]) -> Propose | None:
    if "propose" not in table:
        return None
    parts = ("propose", "propose.ladders", "propose.result")
    return build_propose(table["propose"], *(place(f"[{name}]", name) for name in parts))


def _refuse_later_words(table: dict[str, Any], version: int, where: str) -> None:
    output = table.get("output", {})
    later = "keep" in table or (isinstance(output, dict) and "keep_order" in output)
    if version == 1 and "report" in table:
        raise UsageError(f"{where}: the cover of a report needs 'microsafe = 2'.")
    for word in ("utility", "propose", "variables"):
        if version == 1 and word in table:
            raise UsageError(f"{where}: {word!r} needs 'microsafe = 2'.")
    if version == 1 and later:
        raise UsageError(f"{where}: decisions to keep something need 'microsafe = 2'.")
    policy = table.get("policy", {})
    for word in (GIVEN_AWAY, "publish_matrix"):
        if version == 1 and isinstance(policy, dict) and word in policy:
            raise UsageError(f"{where}: the rule {word!r} needs 'microsafe = 2'.")


def _insert_name(name: str, table: object) -> object:
    if not isinstance(table, dict):
        return table
    if "name" in table:
        raise UsageError("The name of a scenario belongs in the heading of its table.")
    return {"name": name, **table}


def plan_text(plan: Plan, *, hide_seeds: bool = False) -> str:
    """Return a plan as TOML; reading it gives the same plan.

    Args:
        plan: To be written.
        hide_seeds: Whether a hash, in a comment, takes the place of each seed.
    """
    first, *others = plan.scenarios
    parts = [f"microsafe = {plan.format}", table_text("[input]", plan.input)]
    parts += variables_text(plan.variables)
    parts.append(table_text("[scenario]", first, leave=("name",)))
    parts += [
        table_text(f"[scenarios.{quote_text(each.name)}]", each, leave=("name",)) for each in others
    ]
    if plan.policy != Policy():
        parts.append(table_text("[policy]", plan.policy))
    parts += [*_utility_text(plan.utility), *_propose_text(plan.propose)]
    salt = plan.input.sha256 if hide_seeds else None
    for number, step in enumerate(plan.steps, 1):
        hidden = _hashes(step, secrets(type(step)), salt, f"step {number}")
        later = tuple(step.in_format_1) if plan.format == 1 else ()
        heading = f"[[step]]\ndo = {quote_text(step.do)}"
        parts.append(table_text(heading, step, leave=later, hidden=hidden))
    parts += [table_text("[[keep]]", each) for each in plan.keep]
    if plan.report != ReportCover():
        parts.append(table_text("[report]", plan.report))
    hidden = _hashes(plan.output, ("shuffle",), salt, "output")
    usual = ("notes",) if plan.format == 1 and plan.keeps_notes else ()
    parts.append(table_text("[output]", plan.output, leave=usual, hidden=hidden))
    return "\n\n".join(parts) + "\n"


def variables_text(said: Declarations) -> list[str]:
    """Return the tables of what is said of variables."""
    return [table_text(f"[variables.{_bare_word(name)}]", each) for name, each in said.items()]


def _utility_text(uses: Uses | None) -> list[str]:
    """The tables of the uses that matter."""
    if uses is None:
        return []
    return [
        table_text("[utility]", uses, leave=("tables", "models")),
        *(table_text("[[utility.tables]]", each) for each in uses.tables),
        *(table_text("[[utility.models]]", each) for each in uses.models),
    ]


def _propose_text(asked: Propose | None) -> list[str]:
    """The tables of what a proposal may do, and of what it found."""
    if asked is None:
        return []
    parts = [table_text("[propose]", asked, leave=("ladders", "result"))]
    tables: dict[str, Mapping[str, object]] = {"ladders": asked.ladders}
    if asked.result is not None:
        tables["result"] = result_table(asked.result)
    for name, table in tables.items():
        lines = [f"{_bare_word(word)} = {_toml(each)}" for word, each in table.items()]
        parts += ["\n".join([f"[propose.{name}]", *lines])] if lines else []
    if asked.result is not None:
        rows = [f"  {_toml(row)}," for row in frontier_rows(asked.result)]
        parts[-1] = "\n".join([parts[-1], "frontier = [", *rows, "]"])
    return parts


def _bare_word(word: str) -> str:
    return word if _BARE.fullmatch(word) else quote_text(word)


def hide_seeds(text: str) -> str:
    """Return the text of a plan, as `plan_text` writes it, without its seeds."""
    table = tomllib.loads(text)
    seeds = [name in each for each in table.get("step", []) for name in secrets(STEPS[each["do"]])]
    if not any(seeds) and "shuffle" not in table["output"]:
        return text
    return plan_text(build_plan(table, Path("plan")), hide_seeds=True)


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


def script(plan: Plan, *, hide_seeds: bool = False, seeds: str = "") -> str:
    """Return the plan as a Python script that does the same.

    Args:
        plan: To be written.
        hide_seeds: Whether the script draws new seeds instead of naming those of the plan.
        seeds: File beside the script that has the seeds of the plan, which reads them there.
    """

    def hide(names: Sequence[str], place: str) -> Mapping[str, str]:
        if seeds:
            return {name: f"seeds[{f'{place} {name}'!r}]" for name in names}
        return dict.fromkeys(names, "secrets.randbits(53)") if hide_seeds else {}

    first, *others = plan.scenarios
    reading = _changed_fields(plan.input) | _changed_fields(first, leave=("name",))
    for name in ("file", "sha256", "join_sha256", "population", "population_count"):
        reading.pop(name, None)
    said = {name: _changed_fields(each) for name, each in plan.variables.items()}
    texts = [f"{name!r}: ms.Declaration({_call(each)})" for name, each in said.items()]
    variables = f", variables={{{', '.join(texts)}}}" if texts else ""
    lines = [f"study = ms.study({plan.input.file!r}, {_call(reading)}{variables})"]
    lines += [
        f"study = study.with_scenario({each.name!r}, {_call(_differing(each, first))})"
        for each in others
    ]
    hiding = False
    for number, step in enumerate(plan.steps, 1):
        hidden = hide(secrets(type(step)), f"{number} {step.do}")
        hiding = hiding or bool(hidden)
        lines.append(f"study = {_call_step(step, hidden)}")
    writing = _changed_fields(plan.output)
    for name in ("file", "report", "public_report", "keep_order"):
        writing.pop(name, None)
    if keep := reasons_to_keep(plan.keep):
        writing["keep"] = keep
    if plan.format > 1:
        writing |= {"notes": plan.keeps_notes, "prune": True}
        if plan.output.shuffle is not None:
            writing["together"] = True
    hidden = hide([name for name in writing if name == "shuffle"], "output")
    hiding = hiding or bool(hidden)
    more = f", {_call(writing, hidden)}" if writing else ""
    lines.append(f"study.write({plan.output.file!r}{more})")
    imports = (
        (["import json", "from pathlib import Path", ""] if seeds else ["import secrets", ""])
        if hiding
        else []
    )
    if hiding and seeds:
        lines.insert(0, f"seeds = json.loads(Path({seeds!r}).read_text())  # secret")
    names = ["import microsafe as ms"]
    if not all(map(_has_verb, plan.steps)):
        names.append("from microsafe.steps import STEPS")
    return "\n".join([*imports, *names, "", *lines]) + "\n"


def _has_verb(step: Step) -> bool:
    return step.do in vars(ProtectVerbs)


def _call_step(step: Step, hidden: Mapping[str, str]) -> str:
    """Return the call that takes a step, by its verb if it has one."""
    if not _has_verb(step):
        return f"study.apply(STEPS[{step.do!r}]({_call(_changed_fields(step), hidden)}))"
    return f"study.{step.do}({_call(_changed_fields(step) | dict(step.verb_options()), hidden)})"


def _differing(scenario: Scenario, first: Scenario) -> dict[str, object]:
    """What a later scenario does not take over from the first."""
    values = {each.name: getattr(scenario, each.name) for each in fields(Scenario)}
    return {
        name: value
        for name, value in values.items()
        if name == "keys" or (name != "name" and value != getattr(first, name))
    }


def _call(options: Mapping[str, object], hidden: Mapping[str, str] | None = None) -> str:
    return ", ".join(
        f"{name}={(hidden or {}).get(name) or repr(value)}" for name, value in options.items()
    )


def _changed_fields(value: object, *, leave: Sequence[str] = ()) -> dict[str, object]:
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
        f"# {name} is secret; hash {hidden[name]}" if name in hidden else f"{name} = {_toml(each)}"
        for name, each in _changed_fields(value, leave=leave).items()
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
        return "[" + ", ".join(_toml(each) for each in value) + "]"
    raise UsageError("A plan can only hold texts, numbers and lists of them.")


def quote_text(text: str) -> str:
    """Return text as TOML has it."""
    # JSON strings are TOML strings, but for DEL, which TOML wants escaped.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
