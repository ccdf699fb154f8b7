"""tilelang-migrate: CUDA C++ kernels to TileLang, each port proven against its original."""

__version__ = "0.1.0"
