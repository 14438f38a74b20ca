"""Stata files of every release."""
