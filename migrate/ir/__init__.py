"""Typed trees: KernelModule (what the CUDA means) and PortModule (what the TileLang says)."""
