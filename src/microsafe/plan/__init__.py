"""Plans: a release as a file, and running it."""
