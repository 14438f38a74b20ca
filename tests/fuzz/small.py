"""Sound small files that say what to do, and how each is read: plans, seeds, locks, recodes,
codebooks, hierarchies.

They come by mail as data files do, and are read in the main process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from microsafe.cli.commands.replay import _read_lock
from microsafe.io.argus.grc import read_grc
from microsafe.io.codebook import read_codebook
from microsafe.plan.read import read_plan
from microsafe.propose.ladders.hierarchy_files import read_hierarchy
from microsafe.schema import Variable

PLAN = b"""microsafe = 1  # one

[input]
file = "survey.csv"
sha256 = "e77005540821e3f4c8eb8d01428eda0a7959aaee85113a565dd4bc6cd5c05c75"
na = ["-9", "n.a."]

[scenario]
keys = ["region", "sex", "age"]
weight = "weight"
household = "home"
estimator = "cell"

[policy]
record_risk = 0.05
rate = 1e-2
override = { estimator = "they are weighed" }

[[step]]
do = "recode"
variable = "age"
breaks = [15, 30.5, 65]
labels = { "1" = "young", '2' = "old" }
why = \"\"\"more than
one line\"\"\"

[[step]]
do = "pram"
variable = "status"
keep = 0.8
seed = 7

[[step]]
do = "suppress"
above = 0.05
cost = { region = 2, sex = 1 }

[[keep]]
variables = ["income"]
why = "asked for"

[output]
file = "safe.csv"
report = "report.html"
"""
SEEDS = json.dumps({"2 pram seed": 47, "output shuffle": 2**52}).encode()
LOCK = json.dumps(
    {"microsafe": "1", "files": {"safe.csv": "e7" * 32}, "steps": [{"do": "recode", "n": [1, 2.5]}]}
).encode()
RECODE = b'1: -19, 20-29\r\n2: 30-\r\n"x": 7,8\r\n\r\n<MISSING> 9 99\r\n<CODELIST> file.cdl\r\n'
CODES = b'1,"young"\r\n2,"old, or ""old"""\r\n9,none\r\n'
TABLE = (
    b"variable;code;label;missing;type;role;cost;identifying;note\n"
    b'age;;"Age; in years";none;number;key;2.5;;\n'
    b"sex;;Sex;;category;key;;no;asked\n"
    b"sex;1;male;;;;;;\n"
    b"sex;9;none;yes;;;;;\n"
    b"name;;Name;;text;identifier;;yes;\n"
)
DDI = b"""<?xml version="1.0" encoding="UTF-8"?>
<codeBook xmlns="ddi:codebook:2_5" version="2.5"><stdyDscr><citation><titlStmt><titl>A survey</titl>
</titlStmt></citation></stdyDscr><dataDscr>
<var name="age" intrvl="contin"><labl>Age &amp; more</labl><invalRng><item VALUE="98"/>
<range min="99" max="120"/></invalRng><varFormat type="numeric"/></var>
<var name="sex" intrvl="discrete"><labl>Sex</labl><catgry><catValu>1</catValu><labl>male</labl>
</catgry><catgry missing="Y"><catValu>9</catValu><labl>none</labl></catgry></var>
</dataDscr></codeBook>
"""
HIERARCHY = b"0;0-4;child\n1;0-4;child\n30;30-34;adult\n31;30-34;adult\n"


def _read_seeds(path: Path) -> object:
    plan = path.with_suffix(".toml")
    lacking = PLAN.replace(b"seed = 7\n", b"")
    plan.write_bytes(lacking)
    return read_plan(plan, draw_seeds=True, save_seeds=False)


def _read_recode(path: Path) -> object:
    path.with_name("file.cdl").write_bytes(CODES)
    return read_grc(path)


def _read_codes(path: Path) -> object:
    path.with_suffix(".grc").write_bytes(RECODE)
    return read_grc(path.with_suffix(".grc"))


SMALL: Mapping[str, tuple[bytes, Callable[[Path], Any]]] = {
    ".toml": (PLAN, lambda path: read_plan(path, draw_seeds=True, save_seeds=False)),
    ".seeds": (SEEDS, _read_seeds),
    ".lock": (LOCK, _read_lock),
    ".grc": (RECODE, _read_recode),
    ".cdl": (CODES, _read_codes),
    ".codebook.csv": (TABLE, read_codebook),
    ".codebook.xml": (DDI, read_codebook),
    ".hierarchy": (HIERARCHY, lambda path: list(read_hierarchy(path, Variable(name="age")))),
}
