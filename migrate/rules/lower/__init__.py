"""Construct-by-construct lowering to thread-level TileLang."""
