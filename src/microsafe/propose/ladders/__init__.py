"""Ladders of recodes: each rung joins whole groups of the one below."""
