"""Plumbing without meaning: find a compiler, cache by content, run isolated."""
