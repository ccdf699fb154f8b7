"""Runnable operators that library calls are replaced with."""
