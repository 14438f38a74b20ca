"""The reports in German, in the words of official statistics."""

from __future__ import annotations

from collections.abc import Mapping

from microsafe.report.texts.language import Language, StepWords

TEXTS: Mapping[str, str] = {}
STEPS: Mapping[str, StepWords] = {}
SENTENCES: Mapping[str, str] = {}

LANGUAGE = Language(
    code="de",
    html="de",
    texts=TEXTS,
    steps=STEPS,
    sentences=SENTENCES,
    thousands="\u00a0",
    decimal=",",
)
