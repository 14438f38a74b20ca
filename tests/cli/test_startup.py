"""Help, version and usage errors come at once: nothing heavy is loaded for them."""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

import microsafe
import microsafe.io
import microsafe.risk
import microsafe.steps
from microsafe.cli.commands import file_risk, report
from microsafe.cli.main import load_library
from microsafe.cli.parser import build_parser
from microsafe.engine import EngineName
from microsafe.options.parameter import parameters
from microsafe.options.reading import EngineOptions
from microsafe.options.scenario import Assumptions, Attack, Estimator, Missing
from microsafe.options.suppression import GUARANTEES, Guarantee
from microsafe.report import Audience
from microsafe.risk.file.model_estimates import ModelName
from microsafe.risk.file.options import USUAL_BANDS

HEAVY = {"numpy", "polars", "matplotlib", "narwhals", "pyreadstat", "starlette", "pyspark"}


def loaded_by(code: str) -> set[str]:
    """Return the top-level modules that a fresh interpreter has loaded after some code."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(sorted(sys.modules))"],
        capture_output=True,
        check=True,
        text=True,
    )
    return {name.partition(".")[0] for name in ast.literal_eval(done.stdout.splitlines()[-1])}


@pytest.mark.parametrize("command", ["--version", "--help", "risk --help", "risk", "nonsense"])
def test_help_and_usage_errors_load_nothing_heavy(command: str) -> None:
    code = (
        f"from microsafe.cli import main\ntry: main({command.split()!r})\nexcept SystemExit: pass"
    )
    modules = loaded_by(code)
    assert "microsafe" in modules
    assert not modules & HEAVY


def test_the_files_of_all_commands_load_nothing_heavy() -> None:
    assert not loaded_by("from microsafe.cli.parser import build_parser\nbuild_parser()") & HEAVY


def test_the_package_loads_nothing_heavy_until_a_name_is_used() -> None:
    assert not loaded_by("import microsafe; dir(microsafe); microsafe.__version__") & HEAVY
    assert not loaded_by("from microsafe import Scenario, Schema, UsageError") & HEAVY
    measured = loaded_by("from microsafe import study")
    assert "polars" in measured
    assert "matplotlib" not in measured


def test_who_measures_loads_no_kind_of_step_and_no_model() -> None:
    rooms = ("steps.suppress", "steps.noise", "risk.model", "risk.family.model", "risk.file.latent")
    unused = tuple(f"microsafe.{room}" for room in rooms)
    loaded_by(
        "import microsafe.studies.study\n"
        f"found = [name for name in sys.modules if name.startswith({unused!r})]\n"
        "assert 'microsafe.steps.base' in sys.modules and not found, found"
    )


def test_the_public_names() -> None:
    assert dir(microsafe) == sorted([*microsafe.__all__, "__version__"])
    assert sorted(microsafe.__all__) == sorted(microsafe._MODULES)
    for name in microsafe.__all__:
        assert getattr(microsafe, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        getattr(microsafe, "nonsense")  # noqa: B009


@pytest.mark.parametrize(
    "first",
    [
        "import microsafe.studies.study",
        "from microsafe.studies.study import Study",
        "microsafe.Study",
    ],
)
def test_study_is_the_function_whatever_was_imported_before(first: str) -> None:
    code = f"import microsafe\n{first}\nfrom microsafe import study\n"
    loaded_by(code + "assert microsafe.study is study and callable(study), study")


@pytest.mark.parametrize("package", [microsafe, microsafe.io, microsafe.risk, microsafe.steps])
def test_type_checkers_see_the_same_names(package: ModuleType) -> None:
    assert package.__file__ is not None
    tree = ast.parse(Path(package.__file__).read_text("utf-8"))
    seen = {
        alias.name: node.module
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == {name: f"microsafe.{of}" for name, of in package._MODULES.items()}
    assert set(package.__all__) - {"STEPS", "register"} == set(seen)


def test_one_version() -> None:
    root = Path(__file__).parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    assert microsafe.__version__ == project["version"] == version("microsafe")


def test_choices_are_those_of_the_types() -> None:
    assert get_args(Audience) == report.AUDIENCES
    assert get_args(Guarantee) == tuple(GUARANTEES)
    assert get_args(ModelName) == file_risk.MODELS
    assert file_risk.BANDS == USUAL_BANDS
    for kind, name, words in (
        (Assumptions, "attack", Attack),
        (Assumptions, "missing", Missing),
        (Assumptions, "estimator", Estimator),
        (EngineOptions, "engine", EngineName),
    ):
        assert get_args(words) == tuple(parameters(kind)[name].choices)
        action = dict(commands())["risk"]._option_string_actions[f"--{name}"]
        assert (action.choices or action.words) == get_args(words)  # type: ignore[attr-defined]


def commands() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in build_parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield from commands_of(name, command)


def commands_of(
    name: str, command: argparse.ArgumentParser
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """A command, or those that it consists of."""
    parts = [each for each in command._actions if isinstance(each, argparse._SubParsersAction)]
    if not parts:
        yield name, command
    for part in parts:
        yield from ((f"{name} {word}", each) for word, each in part.choices.items())


@pytest.mark.parametrize(("name", "command"), list(commands()))
def test_every_command_has_a_file_of_its_name_and_every_option_is_explained(
    name: str, command: argparse.ArgumentParser
) -> None:
    module = name.replace("-", "_").replace(" ", "_")
    assert command.get_default("run").__module__ == f"microsafe.cli.commands.{module}"
    load_library(command.get_default("needs"))
    for action in command._actions:
        assert action.help, action.option_strings
