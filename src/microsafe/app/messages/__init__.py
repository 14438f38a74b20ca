"""What the page and the server say to each other: every question, every answer, every event.

The page's types are generated from this module (`python -m microsafe.app.page_types`). A message
holds cells, curves and summaries below a size; no message ever holds a record.
"""

from __future__ import annotations

from microsafe.compare.worst_groups import ENOUGH as ENOUGH
from microsafe.options.policy import MUCH_HIGHER as MUCH_HIGHER
from microsafe.report.texts import LANGUAGES as _KNOWN

LANGUAGES = tuple(_KNOWN)  # of reports

MOST_POINTS = 4000  # of a curve
MOST_CATEGORIES = 1000  # of a variable; one with more is summed up in bins, or not at all
MOST_CELLS = 100
MOST_ROWS = 50  # of each kind of table in a comparison
