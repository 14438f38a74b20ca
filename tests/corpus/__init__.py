"""Small files made by other programs' writers, opened, compared, written back, compared again.

A module for each format has its cases; `every.py` lists them all and says which still fail, and
`docs/reference/make_formats.py` makes a table of them.
"""
