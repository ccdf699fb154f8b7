// Dynamic programming: edit distance by anti-diagonals, one block a pair, three rolling diagonals in shared memory.
#include <cuda_runtime.h>

#define MAX_LENGTH 128

__global__ void edit_distance(int* result, const char* a, const char* b, int la, int lb) {
    __shared__ int diagonal[3][MAX_LENGTH + 1];
    int pair = blockIdx.x;
    const char* s = a + pair * la;
    const char* t = b + pair * lb;
    int i = threadIdx.x;
    for (int d = 0; d <= la + lb; ++d) {
        int* now = diagonal[d % 3];
        int* one = diagonal[(d + 2) % 3];
        int* two = diagonal[(d + 1) % 3];
        int j = d - i;
        if (i <= la && j >= 0 && j <= lb) {
            int best;
            if (i == 0) {
                best = j;
            } else if (j == 0) {
                best = i;
            } else {
                best = two[i - 1] + (s[i - 1] == t[j - 1] ? 0 : 1);
                best = min(best, one[i - 1] + 1);
                best = min(best, one[i] + 1);
            }
            now[i] = best;
            if (i == la && j == lb) result[pair] = best;
        }
        __syncthreads();
    }
}

void distances(int* result, const char* a, const char* b, int pairs) {
    const int la = 48, lb = 40;
    edit_distance<<<pairs, MAX_LENGTH>>>(result, a, b, la, lb);
}
