"""Import of the real PrimFunc after upstream simplification."""
