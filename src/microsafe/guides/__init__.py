"""From a file to a release in five decisions, filled in: the guided way of all doors."""
