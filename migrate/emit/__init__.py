"""Legalise a PortModule for a dialect, check forbidden patterns, print it."""
