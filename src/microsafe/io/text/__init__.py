"""Delimited text: encoding, lines, names and records."""
