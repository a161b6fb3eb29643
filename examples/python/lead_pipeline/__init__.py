"""A client of the Lead Pipeline API to copy."""
