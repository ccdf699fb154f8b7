// A block barrier that only some threads of a block reach.
__global__ void half_barrier(float* out, const float* in) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    if (t < 40) {
        __syncthreads();
        out[blockIdx.x * 64 + t] = s[63 - t];
    }
}
void launch(float* out, const float* in) { half_barrier<<<4, 64>>>(out, in); }
