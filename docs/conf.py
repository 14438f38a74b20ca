"""The site: `uv run --group docs sphinx-build -W --keep-going docs build/site`."""

from __future__ import annotations

import re
import sys
from importlib.metadata import version as version_of
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "reference"))

import make_messages  # noqa: E402

project = "microsafe"
author = "The microsafe developers"
copyright = author  # noqa: A001
release = version_of("microsafe")

extensions = ["myst_parser", "sphinx_copybutton"]
exclude_patterns = ["pictures"]
myst_heading_anchors = 4
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = f"microsafe {release}"
html_static_path = ["theme"]
html_css_files = ["site.css"]
html_copy_source = False
html_search_scorer = str(HERE / "theme" / "scorer.js")
html_show_search_summary = False  # which would fetch pages; files that are opened may not
html_show_sourcelink = False
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 5,
    "show_prev_next": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "logo": {"text": f"microsafe {release}"},
}

_HEADING = re.compile(r"^## (.*)$", re.MULTILINE)
_ENTRY = re.compile(r"^[*|] .*$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\(([\w/-]+)\.md\)")


def add_navigation(_: Sphinx, page: str, source: list[str]) -> None:
    """Take what lists and tables of an index page link to for its navigation, in that order."""
    if page.rpartition("/")[2] != "index":
        return
    head, *parts = _HEADING.split(source[0])
    titled = [("", head), *zip(parts[::2], parts[1::2], strict=True)]
    for title, text in titled:
        links = _LINK.findall("\n".join(_ENTRY.findall(text)))
        pages = [f"{words.replace('`', '')} <{page}>" for words, page in links]
        if pages:
            tree = [":hidden:", *([f":caption: {title}"] if title else []), "", *pages]
            source[0] += "\n".join(["\n```{toctree}", *tree, "```\n"])


def setup(app: Sphinx) -> None:
    """Write the page of messages, and have navigation added to pages as they are read."""
    make_messages.PAGE.write_text(make_messages.make_page(), "utf-8", newline="\n")
    app.connect("source-read", add_navigation)
