"""Perturbation: pure functions over arrays of values, without files or frames."""
