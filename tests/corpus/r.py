"""Files by R: its own .rds and .RData, and the delimited text that it writes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from corpus.case import Case
from corpus.readers import delimited
from corpus.values import Columns, Moment

_DUMP = r"""
path <- commandArgs(TRUE)[1]
e <- new.env()
d <- if (grepl("[.]rds$", path)) readRDS(path) else get(load(path, e)[1], e)
for (n in names(d)) {
  x <- d[[n]]
  kind <- if (inherits(x, "haven_labelled")) "numeric" else class(x)[1]
  v <- switch(kind,
    factor=, ordered=, character=as.character(x),
    POSIXct=, Date=, integer=, numeric=, difftime=sprintf("%.17g", as.numeric(x)),
    logical=as.character(x))
  v[is.na(x)] <- "\x1d"
  cat(n, kind, if (is.factor(x)) paste(levels(x), collapse="\x1c") else "",
      paste(v, collapse="\x1f"), sep="\x1e")
  cat("\x1b")
}
"""
_LABELS = """
d <- if (grepl("[.]rds$", path)) readRDS(path)
for (n in names(d)) {
  codes <- attr(d[[n]], "labels")
  label <- attr(d[[n]], "label", exact=TRUE)
  cat(n, if (is.null(label)) "" else label, paste(codes, names(codes), sep="=", collapse="\x1f"),
      sep="\x1e")
  cat("\x1b")
}
"""
_FRAME = 'data.frame(town=c("K\u00f6ln", NA, "Bonn"), n=c(1L, NA, 3L), x=c(0.1, 1/3, NA))'


def run_r(code: str, *arguments: str) -> str:
    """Run code in R and return what it prints."""
    command = ["Rscript", "--vanilla", "--encoding=UTF-8", "-e", code, *arguments]
    done = subprocess.run(command, capture_output=True, check=True, timeout=60)
    return done.stdout.decode("utf-8")


def _columns(path: Path) -> list[list[str]]:
    dumped = run_r(_DUMP, str(path))
    return [part.split("\x1e") for part in dumped.split("\x1b") if part]


def read_r(path: Path) -> Columns:
    """Read a frame by R itself."""
    return {
        name: [_value(kind, value) for value in values.split("\x1f")]
        for name, kind, _, values in _columns(path)
    }


def _value(kind: str, text: str) -> Any:
    if text == "\x1d" or text == "":
        return None
    match kind:
        case "integer" | "numeric":
            return None if text == "NaN" else float(text)
        case "logical":
            return text == "TRUE"
        case "Date":
            return Moment(int(float(text)) * 86_400 * 10**9)
        case "POSIXct":
            return Moment(int(float(text)) * 10**9)
    return text


def order(path: Path) -> dict[str, Any]:
    """The levels of ordered factors, from lowest to highest."""
    return {
        "order of categories": {
            name: tuple(levels.split("\x1c"))
            for name, kind, levels, _ in _columns(path)
            if kind == "ordered"
        }
    }


def zone(path: Path) -> dict[str, Any]:
    shown = run_r("cat(attr(readRDS(commandArgs(TRUE)[1])$t, 'tzone'))", str(path))
    return {"moments with a time zone": shown}


def labels(path: Path) -> dict[str, Any]:
    parts = run_r("path <- commandArgs(TRUE)[1]\n" + _LABELS, str(path)).split("\x1b")
    rows = [part.split("\x1e") for part in parts if part]
    pairs = {
        name: [p.split("=") for p in codes.split("\x1f") if "=" in p] for name, _, codes in rows
    }
    return {
        "labels of variables": {name: label for name, label, _ in rows if label},
        "labels of numbers": {
            name: {float(code): label for code, label in each}
            for name, each in pairs.items()
            if each
        },
    }


KINDS = {
    "text of any script": _FRAME,
    "whole numbers": "data.frame(n=c(1L, NA, -2147483647L, 2147483647L))",
    "numbers": "data.frame(x=c(0.1, 1/3, NA, 1e300, -1e-300))",
    "infinite numbers": "data.frame(x=c(Inf, -Inf, NaN, 1))",
    "truth values": "data.frame(b=c(TRUE, FALSE, NA), n=1:3)",
    "categories": 'data.frame(f=factor(c("low", "high", NA, "low"), levels=c("low", "high")))',
    "order of categories":
        'data.frame(f=factor(c("b", "a", NA), levels=c("b", "c", "a"), ordered=TRUE))',
    "dates": 'data.frame(d=as.Date(c("2020-02-29", NA, "1900-03-01")))',
    "dates up to the year 9999": 'data.frame(d=as.Date(c("9999-12-31", NA, "4000-03-01")))',
    "moments with a time zone":
        'data.frame(t=as.POSIXct(c("2020-07-01 12:00:00", NA), tz="Europe/Berlin"), n=1:2)',
    "variable without a value": "data.frame(a=c(1, 2), none=c(NA, NA), t=as.character(c(NA, NA)))",
    "one record": 'data.frame(a=1L, b="x")',
    "300 variables": "as.data.frame(matrix(as.numeric(1:600), 2))",
}  # fmt: skip


def case(name: str, holds: str, make: Callable[[Path], object], **more: Any) -> Case:
    more = {"extension": ".rds", "look": read_r, **more}
    return Case(name=f"r-{name}", holds=holds, make=make, needs="Rscript", **more)


def saved(frame: str, save: str = "saveRDS(d, path)") -> Callable[[Path], object]:
    code = f"path <- commandArgs(TRUE)[1]; d <- {frame}; {save}"
    return lambda path: run_r(code, str(path))


def _native() -> list[Case]:
    found = [
        case(f"rds-{kind.replace(' ', '-')}", kind, saved(frame),
             facts={"order of categories": order, "moments with a time zone": zone}.get(kind),
             lost=(kind,) if kind == "moments with a time zone" else ())
        for kind, frame in KINDS.items()
    ]  # fmt: skip
    found += [
        case(f"rds-{name}", "values", saved(_FRAME, f"saveRDS(d, path, {options})"))
        for name, options in {
            "plain": "compress=FALSE",
            "bzip2": 'compress="bzip2"',
            "xz": 'compress="xz"',
            "version-2": "version=2",
        }.items()
    ]
    found += [
        case(f"rdata{version}", "values", saved(_FRAME, f"save(d, file=path, version={version})"),
             extension=".RData")
        for version in (2, 3)
    ]  # fmt: skip
    labelled = (
        "data.frame(sex=c(1, 2, NA), n=1:3); attr(d$sex, 'label') <- 'Sex of the person'; "
        "attr(d$sex, 'labels') <- c(male=1, female=2); class(d$sex) <- 'haven_labelled'"
    )
    found += [
        case("rda", "values", saved(_FRAME, "save(d, file=path)"), extension=".rda", to=".rdata",
             look_back=read_r),
        case("rds-labels", "labels of numbers", saved(labelled), facts=labels,
             tells=("labels of variables", "labels of numbers")),
        case("rds-refused-ascii", "saved as text", saved(_FRAME, "saveRDS(d, path, ascii=TRUE)"),
             refused="R data in a form that is not read"),
        case("rds-refused-no-frame", "no data frame", saved("list(a=1)"), refused="data frame"),
    ]  # fmt: skip
    return found


def _text() -> list[Case]:
    def text(name: str, holds: str, save: str, look: Any = None) -> Case:
        return case(f"text-{name}", holds, saved(_FRAME, save), extension=".csv",
                    look=look or delimited())  # fmt: skip

    return [
        text("write.csv", "nameless first column", "write.csv(d, path)"),
        text("write.csv-no-row-names", "words such as NA", "write.csv(d, path, row.names=FALSE)"),
        text("write.csv2", "separator", "write.csv2(d, path, row.names=FALSE, na='')",
             delimited(separator=";")),
        text("write.table", "separator",
             "write.table(d, path, sep='\\t', quote=FALSE, row.names=FALSE, na='')",
             delimited(separator="\t")),
    ]  # fmt: skip


CASES = [*_native(), *_text()]
