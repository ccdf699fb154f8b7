// Pointers that move, are chosen, swapped and compared.
#include <cuda_runtime.h>

__global__ void strided_sums(float* out, const float* in, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= cols) return;
    const float* p = in + col;
    const float* end = p + (size_t)rows * cols;
    float sum = 0.0f;
    for (; p < end; p += cols) sum += *p;
    out[col] = sum;
}

__global__ void interleave(float* out, const float* even, const float* odd, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* from = (i & 1) ? odd : even;
    from += i / 2;
    float* to = out;
    to += i;
    *to = *from++;
    if (i + 2 < n) *to += 0.5f * *from;
}

__global__ void relax_swapped(float* grid, float* other, int n, int steps) {
    int i = threadIdx.x;
    float* from = grid;
    float* to = other;
    for (int s = 0; s < steps; ++s) {
        for (int k = i + 1; k < n - 1; k += blockDim.x) to[k] = 0.25f * from[k - 1] + 0.5f * from[k] + 0.25f * from[k + 1];
        __syncthreads();
        float* keep = from;
        from = to;
        to = keep;
    }
}

__global__ void find_first(int* position, const int* haystack, int n, int needle) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int* start = haystack + row * n;
    const int* p = start;
    const int* const stop = start + n;
    while (p != stop && *p != needle) p++;
    position[row] = p == stop ? -1 : (int)(p - start);
}

void walking(float* out, const float* in, float* other, int rows, int cols, int* position, const int* haystack) {
    strided_sums<<<(cols + 63) / 64, 64>>>(out, in, rows, cols);
    interleave<<<(cols + 63) / 64, 64>>>(out, in, other, cols);
    relax_swapped<<<1, 64>>>(out, other, cols, 4);
    find_first<<<2, 32>>>(position, haystack, 40, 3);
}
