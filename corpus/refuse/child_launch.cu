// A kernel that launches another one: the tree is as deep as its data.
#include <cuda_runtime.h>
__global__ void split(float* data, int length) {
    int t = threadIdx.x;
    if (t < length / 2) data[t] += data[length - 1 - t];
    if (t == 0 && length > 2) split<<<1, 128>>>(data, length / 2);
}
void launch(float* data, int length) { split<<<1, 128>>>(data, length); }
