"""Run native readers in a subprocess, within limits; a crash there is an error message here."""
