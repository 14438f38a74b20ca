"""Data shuffling."""
