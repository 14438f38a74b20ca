"""Guarantee `view`: a blanked record is safe among people who would be blanked in the same way."""
