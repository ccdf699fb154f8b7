"""Engine P: the original through the CUDA compiler's PTX, translated to C++ and run by the oracle's runner."""
