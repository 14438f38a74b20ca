"""`python -m microsafe`."""

import sys

from microsafe.cli import main

sys.exit(main())
