// A device function that calls itself.
__device__ int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
__global__ void run_ackermann(int* out, const int* m, const int* n, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = ackermann(m[i], n[i]);
}
void launch(int* out, const int* m, const int* n, int count) { run_ackermann<<<(count + 31) / 32, 32>>>(out, m, n, count); }
