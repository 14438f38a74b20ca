"""The risk of records and households, and the limit on it."""
