#include <cuda_bf16.h>
template <class T> struct alignas(16) Packed {
  static constexpr int size = 16 / sizeof(T);
  T payload[size];
  Packed() = default;
  __device__ explicit Packed(int4 bits) { memcpy(&payload, &bits, sizeof(bits)); }
  __device__ T& operator[](int i) { return payload[i]; }
  __device__ int4 bits() const { int4 r; memcpy(&r, &payload, sizeof(r)); return r; }
};
template <class T> __device__ Packed<T> load(const T* p) { return Packed<T>{*reinterpret_cast<const int4*>(p)}; }
template <class T> __device__ void store(T* p, Packed<T> v) { *reinterpret_cast<int4*>(p) = v.bits(); }
__global__ void scale(__nv_bfloat16* x) {
  auto v = load(x + 8 * threadIdx.x);
  for (int k = 0; k < v.size; k++) v[k] = (__nv_bfloat16)((float)v[k] * 2.0f);
  store(x + 8 * threadIdx.x, v);
}
