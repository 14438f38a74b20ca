"""Steps: what is done to the data, one kind a module."""
