"""What the tests of writing share."""

from __future__ import annotations

import os

from microsafe.io import read, write


def everything(source):
    return source.load(source.schema.names)


def again(path, to, **options):
    """Read a file, write it unchanged, and return both as they are read."""
    before = read(path, **options)
    write(everything(before), before.schema, to, origin=before)
    return before, read(to, **options)


def described(schema, *, without=()):
    """Return all that a schema says of its variables, but for some of what only a format knows."""
    return [
        (
            v.name,
            v.label,
            v.kind,
            v.measure,
            dict(v.labels),
            v.missing,
            v.missing_ranges,
            v.role,
            v.width,
            v.decimals,
            v.format,
            {key: value for key, value in v.extra.items() if key not in without},
        )
        for v in schema
    ]


def leftovers(folder):
    return [name for name in os.listdir(folder) if ".tmp" in name]
