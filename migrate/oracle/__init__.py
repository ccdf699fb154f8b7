"""The oracle: original CUDA text compiled and run on the host CPU."""
