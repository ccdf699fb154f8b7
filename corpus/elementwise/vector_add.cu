// Four floats a thread through float4, with a scalar tail.
#include <cuda_runtime.h>

#define AS_FLOAT4(value) (reinterpret_cast<float4*>(&(value))[0])
#define AS_CONST_FLOAT4(value) (reinterpret_cast<const float4*>(&(value))[0])

__global__ void vector_add4(const float* a, const float* b, float* c, int n) {
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        float4 va = AS_CONST_FLOAT4(a[i]);
        float4 vb = AS_CONST_FLOAT4(b[i]);
        float4 vc;
        vc.x = va.x + vb.x;
        vc.y = va.y + vb.y;
        vc.z = va.z + vb.z;
        vc.w = va.w + vb.w;
        AS_FLOAT4(c[i]) = vc;
    } else {
        for (int k = i; k < n; ++k) c[k] = a[k] + b[k];
    }
}

void vector_add(const float* a, const float* b, float* c, int n) {
    int threads = 128;
    int blocks = ((n + 3) / 4 + threads - 1) / threads;
    vector_add4<<<blocks, threads>>>(a, b, c, n);
}
