"""PRAM: categories replaced at random."""
