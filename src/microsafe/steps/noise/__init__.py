"""Noise on numeric variables."""
