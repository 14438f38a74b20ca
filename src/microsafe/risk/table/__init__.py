"""The sample as a cross table of the keys, and log-linear models on it."""
