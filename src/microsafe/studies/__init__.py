"""`Study` and all its verbs, by stage: open, describe, measure, protect, compare, release.

Each stage is a class in a module of its name, on top of the one before (`state`, `core`,
`describe`, `measure`, `protect`, `compare`, `release`); `study` has the whole and opens it.
"""
