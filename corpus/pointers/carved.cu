// Dynamic shared memory carved into parts of several types by pointers.
#include <cuda_runtime.h>

__global__ void top_of_rows(float* value, int* where, const float* in, int cols) {
    extern __shared__ unsigned char raw[];
    float* best = reinterpret_cast<float*>(raw);
    int* place = reinterpret_cast<int*>(best + blockDim.x);
    int t = threadIdx.x;
    const float* row = in + blockIdx.x * cols;
    float b = -3.0e38f;
    int p = -1;
    for (int c = t; c < cols; c += blockDim.x) {
        if (row[c] > b) {
            b = row[c];
            p = c;
        }
    }
    best[t] = b;
    place[t] = p;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d && (best[t + d] > best[t] || (best[t + d] == best[t] && place[t + d] < place[t]))) {
            best[t] = best[t + d];
            place[t] = place[t + d];
        }
        __syncthreads();
    }
    if (t == 0) {
        value[blockIdx.x] = best[0];
        where[blockIdx.x] = place[0];
    }
}

struct Carver {
    char* next;
    template <typename T>
    __device__ T* take(int count) {
        T* result = reinterpret_cast<T*>(next);
        next += count * sizeof(T);
        return result;
    }
};

__global__ void mixed_staging(double* out, const float* in, const short* weight, int n) {
    extern __shared__ __align__(16) char arena[];
    Carver carver{arena};
    double* sums = carver.take<double>(blockDim.x);
    float* stage = carver.take<float>(blockDim.x);
    short* factors = carver.take<short>(blockDim.x);
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    stage[t] = i < n ? in[i] : 0.0f;
    factors[t] = i < n ? weight[i] : 0;
    __syncthreads();
    int other = blockDim.x - 1 - t;
    sums[t] = (double)stage[other] * factors[other];
    __syncthreads();
    if (i < n) out[i] = sums[t] + sums[other];
}

void carved(float* value, int* where, const float* in, int rows, int cols, double* out, const short* weight, int n) {
    int threads = 128;
    top_of_rows<<<rows, threads, threads * (sizeof(float) + sizeof(int))>>>(value, where, in, cols);
    mixed_staging<<<(n + threads - 1) / threads, threads, threads * (sizeof(double) + sizeof(float) + sizeof(short))>>>(
        out, in, weight, n);
}
