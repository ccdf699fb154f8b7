// One round of label propagation for connected components: reads one label array, writes the next, sets a flag.
#include <cuda_runtime.h>

__global__ void propagate(int* next, const int* labels, const int* src, const int* dst, int* changed, int edges) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges) return;
    int a = src[e], b = dst[e];
    int la = labels[a], lb = labels[b];
    if (la < lb) {
        atomicMin(&next[b], la);
        atomicExch(changed, 1);
    } else if (lb < la) {
        atomicMin(&next[a], lb);
        atomicExch(changed, 1);
    }
}

void components(int* next, const int* labels, const int* src, const int* dst, int* changed, int edges) {
    cudaMemset(changed, 0, sizeof(int));
    propagate<<<(edges + 255) / 256, 256>>>(next, labels, src, dst, changed, edges);
}
