// A lookup table in linear memory, read with tex1Dfetch, and a wave table sampled with wrap-around.
#include <cuda_runtime.h>

__global__ void quantise(int* out, const int* codes, cudaTextureObject_t table, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int2 entry = tex1Dfetch<int2>(table, codes[i] & 127);
        out[i] = entry.x * 16 + entry.y;
    }
}

__global__ void oscillator(float* out, cudaTextureObject_t wave, float step, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1D<float>(wave, i * step) - 0.5f * tex1D<float>(wave, -0.25f - i * step);
}

static cudaTextureObject_t make_table(int2* entries, int count) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = entries;
    resource.res.linear.desc = cudaCreateChannelDesc(32, 32, 0, 0, cudaChannelFormatKindSigned);
    resource.res.linear.sizeInBytes = count * sizeof(int2);
    cudaTextureDesc state{};
    state.readMode = cudaReadModeElementType;
    cudaTextureObject_t table = 0;
    cudaCreateTextureObject(&table, &resource, &state, nullptr);
    return table;
}

void apply(int* out, const int* codes, int2* entries, int n) {
    cudaTextureObject_t table = make_table(entries, 100);
    quantise<<<(n + 127) / 128, 128>>>(out, codes, table, n);
    cudaDestroyTextureObject(table);
}

void play(float* out, cudaArray_t samples, float step, int n) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = samples;
    cudaTextureDesc state{};
    state.addressMode[0] = cudaAddressModeWrap;
    state.filterMode = cudaFilterModeLinear;
    state.normalizedCoords = 1;
    state.readMode = cudaReadModeElementType;
    cudaTextureObject_t wave = 0;
    cudaCreateTextureObject(&wave, &resource, &state, nullptr);
    oscillator<<<(n + 255) / 256, 256>>>(out, wave, step, n);
    cudaDestroyTextureObject(wave);
}
