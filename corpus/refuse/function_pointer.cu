// The callee is chosen at run time through a pointer table.
__device__ float twice(float v) { return v + v; }
__device__ float square(float v) { return v * v; }
typedef float (*Operation)(float);
__device__ Operation table[2] = {twice, square};
__global__ void apply(float* data, const int* which, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Operation op = table[which[i] & 1];
        data[i] = op(data[i]);
    }
}
void launch(float* data, const int* which, int n) { apply<<<(n + 63) / 64, 64>>>(data, which, n); }
