// Dot product in double precision over complex pairs stored as double2.
#include <cuda_runtime.h>

__global__ void complex_dot(const double2* a, const double2* b, double2* partial, int n) {
    __shared__ double real[128];
    __shared__ double imag[128];
    int tid = threadIdx.x;
    double2 acc = make_double2(0.0, 0.0);
    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) {
        double2 p = a[i], q = b[i];
        acc.x += p.x * q.x + p.y * q.y;
        acc.y += p.x * q.y - p.y * q.x;
    }
    real[tid] = acc.x;
    imag[tid] = acc.y;
    __syncthreads();
    for (int half = blockDim.x / 2; half >= 1; half /= 2) {
        if (tid < half) {
            real[tid] += real[tid + half];
            imag[tid] += imag[tid + half];
        }
        __syncthreads();
    }
    if (tid == 0) {
        partial[blockIdx.x].x = real[0];
        partial[blockIdx.x].y = imag[0];
    }
}

void dot(const double2* a, const double2* b, double2* partial, int n) { complex_dot<<<4, 128>>>(a, b, partial, n); }
