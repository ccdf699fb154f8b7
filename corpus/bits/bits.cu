// Bit work: CRC-32 by table, population counts and packing by ballot, reversal.
#include <cuda_runtime.h>
#include <stdint.h>

__device__ uint32_t crc_byte(uint32_t crc, uint8_t byte) {
    crc ^= byte;
    for (int k = 0; k < 8; ++k) crc = (crc & 1) ? (crc >> 1) ^ 0xEDB88320u : crc >> 1;
    return crc;
}

__global__ void crc32_rows(uint32_t* out, const uint8_t* data, int rows, int length) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    uint32_t crc = 0xFFFFFFFFu;
    const uint8_t* p = data + row * length;
    const uint8_t* end = p + length;
    while (p != end) crc = crc_byte(crc, *p++);
    out[row] = ~crc;
}

__global__ void pack_signs(unsigned int* words, int* counts, const float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool negative = i < n && x[i] < 0.0f;
    unsigned int word = __ballot_sync(0xffffffffu, negative);
    if ((threadIdx.x & 31) == 0 && i < n) {
        words[i / 32] = __brev(word);
        counts[i / 32] = __popc(word) * 64 + __clz(word) - __ffs(word);
    }
}

void run(uint32_t* crc, const uint8_t* data, int rows, int length, unsigned int* words, int* counts, const float* x, int n) {
    crc32_rows<<<(rows + 63) / 64, 64>>>(crc, data, rows, length);
    pack_signs<<<(n + 127) / 128, 128>>>(words, counts, x, n);
}
