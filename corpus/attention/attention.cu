// Causal attention for one head a block row: scores, softmax and values in one kernel; and rotary embedding.
#include <cuda_runtime.h>
#include <math.h>

#define MAX_T 128

__global__ void attention_row(float* out, const float* q, const float* k, const float* v, int T, int hs, float scale) {
    __shared__ float scores[MAX_T];
    int t = blockIdx.x;
    int h = blockIdx.y;
    int tid = threadIdx.x;
    const float* query = q + (h * T + t) * hs;
    const float* keys = k + h * T * hs;
    const float* values = v + h * T * hs;

    for (int s = tid; s <= t; s += blockDim.x) {
        float dot = 0.0f;
        for (int d = 0; d < hs; ++d) dot += query[d] * keys[s * hs + d];
        scores[s] = dot * scale;
    }
    __syncthreads();
    if (tid == 0) {
        float peak = scores[0];
        for (int s = 1; s <= t; ++s) peak = scores[s] > peak ? scores[s] : peak;
        float total = 0.0f;
        for (int s = 0; s <= t; ++s) {
            scores[s] = expf(scores[s] - peak);
            total += scores[s];
        }
        float inverse = total == 0.0f ? 0.0f : 1.0f / total;
        for (int s = 0; s <= t; ++s) scores[s] *= inverse;
    }
    __syncthreads();
    for (int d = tid; d < hs; d += blockDim.x) {
        float acc = 0.0f;
        for (int s = 0; s <= t; ++s) acc += scores[s] * values[s * hs + d];
        out[(h * T + t) * hs + d] = acc;
    }
}

__global__ void rotary(float* x, const float* cosines, const float* sines, int T, int hs) {
    int t = blockIdx.x;
    int pair = threadIdx.x;
    if (pair >= hs / 2) return;
    float* row = x + (blockIdx.y * T + t) * hs;
    float c = cosines[t * (hs / 2) + pair];
    float s = sines[t * (hs / 2) + pair];
    float a = row[2 * pair];
    float b = row[2 * pair + 1];
    row[2 * pair] = a * c - b * s;
    row[2 * pair + 1] = a * s + b * c;
}

void attend(float* out, float* q, float* k, const float* v, const float* cosines, const float* sines, int T, int heads) {
    const int hs = 32;
    if (T > MAX_T) return;
    rotary<<<dim3(T, heads), 32>>>(q, cosines, sines, T, hs);
    rotary<<<dim3(T, heads), 32>>>(k, cosines, sines, T, hs);
    attention_row<<<dim3(T, heads), 64>>>(out, q, k, v, T, hs, 1.0f / sqrtf((float)hs));
}
