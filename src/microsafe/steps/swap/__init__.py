"""Record swapping."""
