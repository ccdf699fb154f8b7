struct Vec { float x, y; __device__ float dot(const Vec& o) const { return x * o.x + y * o.y; } };
__device__ Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y}; }
struct Params { float* data; int n; Vec scale; float taps[2]; };
__device__ void swap_lanes(Vec& v) { float t = v.x; v.x = v.y; v.y = t; }
__global__ void records(Params p, Vec* vs) {
  int i = threadIdx.x;
  if (i >= p.n) return;
  Vec v = vs[i] + p.scale;
  swap_lanes(v);
  vs[i] = v;
  p.data[i] = v.dot(p.scale) * p.taps[i % 2];
  auto half_of = [&](float t) { return t * 0.5f + v.x; };
  p.data[i] += half_of(v.y);
}
