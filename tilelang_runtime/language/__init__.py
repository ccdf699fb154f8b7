"""The public names of tilelang.language."""
