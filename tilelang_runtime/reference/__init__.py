"""The reference interpreter: numpy lanes."""
