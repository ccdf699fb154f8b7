"""Reading CUDA with libclang: shim headers, workers, kernel models, launch facts."""
