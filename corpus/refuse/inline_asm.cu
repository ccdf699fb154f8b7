// Inline PTX has no meaning that the model knows.
__global__ void lane_ids(unsigned int* out) {
    unsigned int lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    out[blockIdx.x * blockDim.x + threadIdx.x] = lane;
}
void launch(unsigned int* out) { lane_ids<<<2, 64>>>(out); }
