"""Analyses over KernelModule: uniformity, barrier epochs, extents, launch plans."""
