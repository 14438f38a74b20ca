"""The files of mu-ARGUS: fixed-width data, their metadata, recodes."""
