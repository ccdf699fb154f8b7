// All-pairs gravity with tiles of bodies (x, y, z, mass as float4) in shared memory, and a leapfrog step.
#include <cuda_runtime.h>

#define TILE 64
#define SOFTENING 1e-3f

__device__ float3 pull(float4 a, float4 b, float3 acc) {
    float dx = b.x - a.x;
    float dy = b.y - a.y;
    float dz = b.z - a.z;
    float d2 = dx * dx + dy * dy + dz * dz + SOFTENING;
    float inv = 1.0f / sqrtf(d2);
    float s = b.w * inv * inv * inv;
    acc.x += dx * s;
    acc.y += dy * s;
    acc.z += dz * s;
    return acc;
}

__global__ void forces(const float4* bodies, float4* acceleration, int n) {
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = i < n ? bodies[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float3 acc = make_float3(0.0f, 0.0f, 0.0f);
    for (int base = 0; base < n; base += TILE) {
        int j = base + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();
        for (int t = 0; t < TILE; ++t) acc = pull(me, tile[t], acc);
        __syncthreads();
    }
    if (i < n) acceleration[i] = make_float4(acc.x, acc.y, acc.z, 0.0f);
}

__global__ void leapfrog(float4* bodies, float4* velocity, const float4* acceleration, float dt, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = velocity[i];
    float4 a = acceleration[i];
    v.x += a.x * dt;
    v.y += a.y * dt;
    v.z += a.z * dt;
    float4 p = bodies[i];
    p.x += v.x * dt;
    p.y += v.y * dt;
    p.z += v.z * dt;
    velocity[i] = v;
    bodies[i] = p;
}

void step(float4* bodies, float4* velocity, float4* acceleration, int n) {
    int blocks = (n + TILE - 1) / TILE;
    forces<<<blocks, TILE>>>(bodies, acceleration, n);
    leapfrog<<<blocks, TILE>>>(bodies, velocity, acceleration, 0.01f, n);
}
