"""Workbooks of Excel and OpenDocument."""
