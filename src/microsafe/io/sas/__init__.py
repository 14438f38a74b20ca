"""SAS: data files and transport files."""
