// Heap allocation inside a kernel.
#include <cuda_runtime.h>
#include <stdlib.h>
__global__ void scratch_sort(int* data, int length) {
    int* copy = (int*)malloc(length * sizeof(int));
    int* row = data + (blockIdx.x * blockDim.x + threadIdx.x) * length;
    for (int i = 0; i < length; ++i) copy[i] = row[length - 1 - i];
    for (int i = 0; i < length; ++i) row[i] = copy[i];
    free(copy);
}
void launch(int* data, int length) { scratch_sort<<<1, 32>>>(data, length); }
