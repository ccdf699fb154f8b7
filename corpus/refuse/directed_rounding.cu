// Interval bounds: one end rounded down, the other up.
#include <cuda_runtime.h>
__global__ void widen(const double* x, double* low, double* high, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    low[i] = __dadd_rd(x[i], -1e-3);
    high[i] = __dadd_ru(x[i], 1e-3);
}
void launch(const double* x, double* low, double* high, int n) { widen<<<(n + 127) / 128, 128>>>(x, low, high, n); }
