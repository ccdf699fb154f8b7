// Warp reductions in one instruction, matches and votes under masks.
#include <cuda_runtime.h>

__global__ void warp_summaries(int* out, const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? in[i] : 0;
    int total = __reduce_add_sync(0xffffffffu, v);
    int low = __reduce_min_sync(0xffffffffu, v);
    unsigned bits = __reduce_or_sync(0xffffffffu, (unsigned)v);
    if ((threadIdx.x & 31) == 0 && i < n) {
        out[3 * (i / 32)] = total;
        out[3 * (i / 32) + 1] = low;
        out[3 * (i / 32) + 2] = (int)bits;
    }
}

__global__ void equal_neighbours(int* leader, const int* key, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 32 * 32) return;
    unsigned same = __match_any_sync(0xffffffffu, key[i] & 7);
    int lowest = __ffs(same) - 1;
    leader[i] = i - (threadIdx.x & 31) + lowest;
    int everyone;
    unsigned whole = __match_all_sync(0xffffffffu, key[i] & 1, &everyone);
    if (everyone) leader[i] += (int)(whole >> 31) * 1000;
}

void collectives(int* out, const int* in, int n) {
    warp_summaries<<<(n + 127) / 128, 128>>>(out, in, n);
    equal_neighbours<<<(n + 127) / 128, 128>>>(out, in, n);
}
