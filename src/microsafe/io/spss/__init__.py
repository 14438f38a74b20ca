"""SPSS: system files and portable files."""
