"""Small files that say what to do: nothing in them takes more than reading them."""

from __future__ import annotations

import os
import random
import tomllib
from pathlib import Path

import pytest

from microsafe.errors import InputError, MicrosafeError
from microsafe.io.argus.grc import read_grc
from microsafe.io.control_file import LARGEST, parse_json, parse_toml, read_control_text
from microsafe.plan.read import read_plan
from microsafe.plan.seeds import fill_seeds, seeds_path

PLAN = 'microsafe = 1\n[input]\nfile = "a.csv"\n[scenario]\nkeys = ["sex"]\n'
HOSTILE = {
    "key of many parts": "a" + ".a" * 20_000 + " = 1\n",
    "heading of many parts": "[" + "a." * 20_000 + "a]\n",
    "quoted parts": ".".join(['"a"'] * 20_000) + " = 1\n",
    "brackets": "a = " + "[" * 20_000 + "\n",
    "tables": "a = " + "{b=" * 20_000 + "\n",
    "digits": "a = " + "9" * 5_000 + "\n",
    "string of four quotes": 'a = ["""x"""", ' + "[" * 20_000 + "\n",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_plans_that_would_take_memory_are_refused_by_a_sentence(kind: str, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN + HOSTILE[kind])
    with pytest.raises(InputError, match=r"plan.toml is not a plan in TOML. Check its syntax"):
        read_plan(plan)


def test_depth_is_counted_outside_of_texts_and_comments() -> None:
    texts = ['"' + "[" * 99 + r"\"" + '"', "'" + "{." * 99 + "'", '"""\n"' + "[" * 99 + '""""']
    text = "".join(f"a{place} = {each} # {'[' * 99}\n" for place, each in enumerate(texts))
    text += "b = [" + ", ".join(["1.5", "[2.5]"] * 99) + "]\n" + "[c.d.e]\nf.g = 1\n"
    assert parse_toml(text) == tomllib.loads(text)


def test_what_is_read_is_what_the_parser_reads() -> None:
    draw = random.Random(30)
    words = ['"', "'", '"""', "'''", "[", "]", "{", "}", "a", "=", ".", ",", "\n", "#", "\\", "1"]
    for _ in range(3000):
        text = "".join(draw.choices(words, k=draw.randrange(24)))
        try:
            wanted = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            continue
        assert parse_toml(text) == wanted


def test_json_within_json_ends_in_a_value_error() -> None:
    with pytest.raises(ValueError, match="deep"):
        parse_json("[" * 100_000)
    with pytest.raises(ValueError, match="digits"):
        parse_json("9" * 5_000)


def test_pipes_folders_and_large_files_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "folder.toml").mkdir()
    with (tmp_path / "large.toml").open("wb") as file:
        file.truncate(LARGEST + 1)
    (tmp_path / "zero.toml").symlink_to("/dev/zero")
    for name, fault in {
        "pipe.toml": "a pipe",
        "zero.toml": "a device",
        "folder.toml": "a folder",
        "large.toml": "4,000,001 bytes",
    }.items():
        with pytest.raises(InputError, match=fault):
            read_plan(tmp_path / name)
        with pytest.raises(InputError, match=fault):
            read_control_text(tmp_path / name)


def test_seeds_are_a_small_file_too(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    table = {"output": {"file": "a.csv"}}
    os.mkfifo(seeds_path(plan))
    with pytest.raises(InputError, match=r"plan.seeds is a folder, a device or a pipe"):
        fill_seeds(table, plan, draw=True)
    seeds_path(plan).unlink()
    seeds_path(plan).write_text("[" * 100_000)
    with pytest.raises(InputError, match="does not hold the seeds"):
        fill_seeds(table, plan, draw=True)


def test_a_recode_opens_files_beside_itself_only(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (tmp_path / "secret.cdl").write_text("1,secret\n")
    (folder / "here.cdl").write_text("1,young\n")
    (folder / "link.cdl").symlink_to(tmp_path / "secret.cdl")
    os.mkfifo(folder / "pipe.cdl")
    recode = folder / "age.grc"
    for name, labels in {
        "here.cdl": {"1": "young"},
        "../secret.cdl": {},
        str(tmp_path / "secret.cdl"): {},
        r"C:\codes\HERE.cdl": {"1": "young"},
        "link.cdl": {},
        "pipe.cdl": {},
        "..": {},
        "a" * 5000: {},
    }.items():
        recode.write_text(f"1: 0-9\n<CODELIST> {name}\n")
        assert read_grc(recode).labels == labels


def test_lines_of_a_code_list_end_in_any_way(tmp_path: Path) -> None:
    (tmp_path / "codes.cdl").write_bytes(b"1,young\r2,old\r\n3,none\n")
    (tmp_path / "age.grc").write_text("1: 0-9\n2: 10-19\n3: 20-\n<CODELIST> codes.cdl\n")
    assert read_grc(tmp_path / "age.grc").labels == {"1": "young", "2": "old", "3": "none"}


@pytest.mark.parametrize("name", ["age.grc", "codes.cdl"])
def test_recodes_and_code_lists_are_small(name: str, tmp_path: Path) -> None:
    (tmp_path / "age.grc").write_text("1: 0-9\n<CODELIST> codes.cdl\n")
    with (tmp_path / name).open("wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(MicrosafeError, match=f"{name} has 4,000,001 bytes"):
        read_grc(tmp_path / "age.grc")
