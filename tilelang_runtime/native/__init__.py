"""C++ generation and execution."""
