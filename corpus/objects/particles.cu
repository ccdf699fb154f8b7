// Structs in memory, by value, nested, with arrays inside; inheritance and a static member function.
#include <cuda_runtime.h>

struct Vec3 {
    float x, y, z;
    __device__ Vec3& operator+=(const Vec3& o) {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
};
__device__ inline Vec3 operator*(float s, const Vec3& v) { return Vec3{s * v.x, s * v.y, s * v.z}; }
__device__ inline float dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

struct Body {
    Vec3 position;
    Vec3 velocity;
    float mass;
    int kind;
};

struct Walls {
    float low[3];
    float high[3];
    static __device__ float reflect(float v, bool hit) { return hit ? -v : v; }
};

struct Settings : Walls {
    float dt;
    Vec3 gravity;
};

__global__ void advance_bodies(Body* bodies, int n, Settings s) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Body b = bodies[i];
    if (b.kind == 0) return;
    b.velocity += s.dt * s.gravity;
    b.position += s.dt * b.velocity;
    float* p = &b.position.x;
    float* v = &b.velocity.x;
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
        bool hit = p[axis] < s.low[axis] || p[axis] > s.high[axis];
        v[axis] = Settings::reflect(v[axis], hit);
    }
    bodies[i] = b;
}

__global__ void kinetic_energy(const Body* __restrict__ bodies, float* energy, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) energy[i] = 0.5f * bodies[i].mass * dot(bodies[i].velocity, bodies[i].velocity);
}

void particles(Body* bodies, float* energy, int n) {
    Settings s;
    for (int a = 0; a < 3; ++a) s.low[a] = -1.0f, s.high[a] = 1.0f;
    s.dt = 0.01f;
    s.gravity = Vec3{0.0f, -9.81f, 0.0f};
    advance_bodies<<<(n + 127) / 128, 128>>>(bodies, n, s);
    kinetic_energy<<<(n + 127) / 128, 128>>>(bodies, energy, n);
}
