"""Sections of the reports: each module yields the blocks of one subject."""
