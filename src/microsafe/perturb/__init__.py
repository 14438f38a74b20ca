"""Kernels of perturbation: pure numpy, no engine, no frames."""
