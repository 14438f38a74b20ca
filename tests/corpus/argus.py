"""mu-ARGUS: data of fixed width and free format with their metadata, written byte by byte."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from corpus.case import MARK, Case
from corpus.values import Columns

FIXED = """\
REGION 1 3 "999" 998
  <RECODABLE>
  <CODELIST> "REGION.CDL"
  <IDLEVEL> 1
hh 4 2
  <HOUSE_ID>
w 6 5
  <NUMERIC>
  <DECIMALS> 2
  <WEIGHT>
inc 12 4 9999
  <NUMERIC>
"""
LINES = ["  1 1 2.50. 120", " 12 110.25. -35", "999 2 1.00.9999", " 02 3 1.50.    "]
FREE = """\
  <SEPARATOR> ";"
REGION 3 "999"
  <RECODABLE>
w 5
  <NUMERIC>
  <WEIGHT>
town 20
"""
FIELDS = ["1;2.5;Köln", "12;10.25;", "999;1;Bonn am Rhein"]


def read_argus(encoding: str = "utf-8") -> Callable[[Path], Columns]:
    """Return a reader that knows of the metadata only what it needs: places, separator, numbers."""

    def look(path: Path) -> Columns:
        layout, numeric, separator, headed, _ = _read_layout(path.with_suffix(".rda"))
        text = path.read_bytes().decode(encoding).rstrip("\x1a")
        lines = [line for line in re.split(r"\r\n|\n|\r", text) if line.strip()]
        if separator:
            rows = list(csv.reader(lines, delimiter=separator))[headed:]
        else:
            rows = [[line[s - 1 : s - 1 + w] for s, w in layout.values()] for line in lines]
        return {
            name: [_value(row[place], name in numeric) for row in rows]
            for place, name in enumerate(layout)
        }

    return look


def _read_layout(path: Path) -> tuple[dict[str, tuple[int, int]], set[str], str, bool, Any]:
    layout: dict[str, tuple[int, int]] = {}
    numeric: set[str] = set()
    codes: dict[str, list[str]] = {}
    separator, headed, name = "", False, ""
    for line in path.read_text("utf-8").splitlines():
        words = line.split()
        if not line.strip():
            continue
        if not words[0].startswith("<"):
            name = words[0]
            layout[name] = (int(words[1]), 0 if separator else int(words[2]))
            codes[name] = [word.strip('"') for word in words[2 if separator else 3 :]]
        elif words[0].upper() == "<SEPARATOR>":
            separator = words[1].strip('"')
        elif words[0].upper() == "<NAMESINFRONT>":
            headed = True
        elif words[0].upper() == "<NUMERIC>":
            numeric.add(name)
    missing = {
        name: tuple(_value(code, name in numeric) for code in each)
        for name, each in codes.items()
        if each
    }
    return layout, numeric, separator, headed, missing


def _value(text: str, numeric: bool) -> Any:
    text = text.strip()
    if not text:
        return None
    if not numeric:
        return text
    return int(text) if text.lstrip("+-").isdecimal() else float(text)


def facts(path: Path) -> dict[str, Any]:
    lists = [p for p in path.parent.iterdir() if p.suffix.lower() == ".cdl"]
    mine = [p for p in lists if p.name.lower().startswith((path.stem, "region"))]
    words = path.with_suffix(".rda").read_text("utf-8").split()
    found = {
        "file as it was": path.read_bytes(),
        "missing codes": _read_layout(path.with_suffix(".rda"))[-1],
        "roles": sorted(w for w in words if w in ("<WEIGHT>", "<HOUSE_ID>", "<RECODABLE>")),
    }
    if "<CODELIST>" in words:
        rows = csv.reader(mine[-1].read_text("utf-8").rstrip("\x1a").splitlines())
        found["labels of text"] = {"REGION": {code.strip(): label for code, label in rows}}
    return found


def made(rda: str, content: str, encoding: str = "utf-8") -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.write_bytes(content.encode(encoding))
        path.with_suffix(".rda").write_bytes(rda.encode())
        if "<CODELIST>" in rda:
            (path.parent / "region.cdl").write_text('1,North\n12,"South, far"\n')

    return make


def case(name: str, holds: str, make: Callable[[Path], object], **more: Any) -> Case:
    more = {"extension": ".asc", "look": read_argus(), **more}
    return Case(name=f"argus-{name}", holds=holds, make=make, **more)


def _layout(path: Path) -> dict[str, Any]:
    return {name: fact for name, fact in facts(path).items() if name in ("file as it was", "roles")}


def _cases() -> list[Case]:
    plain = "\n".join(LINES) + "\n"
    free = "\n".join(FIELDS) + "\n"
    named = FREE.replace('";"', '";"\n  <NAMESINFRONT>')
    contents = {
        "lf": plain,
        "crlf": "\r\n".join(LINES) + "\r\n",
        "cr": "\r".join(LINES) + "\r",
        "ctrl-z": "\r\n".join(LINES) + "\r\n\x1a",
        "no-end": "\n".join(LINES),
        "unnamed-columns": "\n".join(f"{line}XY{k}" for k, line in enumerate(LINES)) + "\n",
    }
    found = [
        case(f"fixed-{name}", "file as it was", made(FIXED, content), facts=_layout)
        for name, content in contents.items()
    ]
    found += [
        case(f"extension-{extension[1:]}", "values", made(FIXED, plain), extension=extension)
        for extension in (".dat", ".prn", ".txt")
    ]
    found += [
        case("labels", "labels of text", made(FIXED, plain), facts=facts),
        case("free", "separator", made(FREE, free), facts=_layout),
        case("free-comma", "separator", made(FREE.replace(";", ","), free.replace(";", ",")),
             facts=_layout),
        case("free-names", "separator", made(named, "REGION;w;town\n" + free), facts=_layout),
        case("cp1252", "encoding and byte order mark", made(FREE, free, "cp1252"),
             look=read_argus("cp1252"), facts=_layout),
        case("refused-short-line", "lines of other length",
             made(FIXED, plain + f"{MARK}\n"[:6]), refused="line 5"),
        case("refused-spss", "metadata for SPSS", made("<SPSS>\n" + FIXED, plain), refused="SPSS"),
        case("refused-number", "text in a numeric variable",
             made(FIXED, plain.replace("120", "1x0")), refused="inc"),
    ]  # fmt: skip
    return found


CASES = _cases()
