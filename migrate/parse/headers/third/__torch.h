#pragma once
#include <__cushim.h>
#ifdef CUSHIM_SYS
#include <iostream>
#include <vector>
#include <string>
#else
#include <__mini_std.h>
#endif
namespace c10 {
enum class ScalarType {
  Byte,
  Char,
  Short,
  Int,
  Long,
  Half,
  Float,
  Double,
  Bool,
  BFloat16,
  Undefined,
  Float8_e4m3fn,
  Float8_e5m2
};
typedef __half Half;
typedef __nv_bfloat16 BFloat16;
struct Float8_e4m3fn {
  unsigned char x;
};
template <class T> using optional = std::optional<T>;
struct Device {
  int index() const;
  bool is_cuda() const;
  bool operator==(const Device &) const;
  bool operator!=(const Device &) const;
};
template <class T> struct ArrayRef {
  ArrayRef();
  ArrayRef(const T *, size_t);
  ArrayRef(std::initializer_list<T>);
  ArrayRef(const std::vector<T> &);
  const T &operator[](size_t) const;
  size_t size() const;
  const T *begin() const;
  const T *end() const;
  const T *data() const;
  std::vector<T> vec() const;
};
typedef ArrayRef<long> IntArrayRef;
namespace cuda {
struct CUDAStream {
  operator cudaStream_t() const;
  cudaStream_t stream() const;
};
CUDAStream getCurrentCUDAStream(int = -1);
struct CUDAGuard {
  template <class T> explicit CUDAGuard(T);
};
struct OptionalCUDAGuard {
  template <class T> explicit OptionalCUDAGuard(T);
  OptionalCUDAGuard();
};
} // namespace cuda
struct Scalar {
  template <class T> T to() const;
};
} // namespace c10
namespace at {
using c10::BFloat16;
using c10::Device;
using c10::Half;
using c10::IntArrayRef;
using c10::ScalarType;
namespace cuda {
using namespace c10::cuda;
cudaDeviceProp *getCurrentDeviceProperties();
template <class A, class B> A ATenCeilDiv(A, B);
typedef c10::cuda::CUDAGuard CUDAGuard;
int warp_size();
} // namespace cuda
struct TensorOptions {
  TensorOptions dtype(ScalarType) const;
  ScalarType dtype() const;
  template <class D> TensorOptions device(D, int = 0) const;
  TensorOptions requires_grad(bool) const;
  TensorOptions(ScalarType);
  TensorOptions();
};
template <class T, size_t N, class... R> struct PackedTensorAccessor32 {
  __host__ __device__ PackedTensorAccessor32<T, N - 1, R...> operator[](long) const;
  __host__ __device__ int size(int) const;
  int stride(int) const;
  T *data();
};
template <class T, class... R> struct PackedTensorAccessor32<T, 1, R...> {
  __host__ __device__ T &operator[](long) const;
  __host__ __device__ int size(int) const;
  T *data();
};
template <class T> struct RestrictPtrTraits {};
template <class T> struct DefaultPtrTraits {};
struct Tensor {
  template <class T = void> T *data_ptr() const;
  template <class T> T *data() const;
  template <class T> const T *const_data_ptr() const;
  template <class T> T *mutable_data_ptr() const;
  long size(long) const;
  IntArrayRef sizes() const;
  long stride(long) const;
  IntArrayRef strides() const;
  long numel() const;
  long dim() const;
  long ndimension() const;
  ScalarType scalar_type() const;
  ScalarType dtype() const;
  TensorOptions options() const;
  bool is_cuda() const;
  bool is_contiguous(...) const;
  Tensor contiguous() const;
  Tensor view(IntArrayRef) const;
  Tensor reshape(IntArrayRef) const;
  Tensor to(...) const;
  Device device() const;
  int get_device() const;
  long element_size() const;
  Tensor transpose(long, long) const;
  Tensor t() const;
  Tensor zero_();
  Tensor fill_(double);
  Tensor clone() const;
  bool defined() const;
  Tensor sum(...) const;
  Tensor flatten(long = 0, long = -1) const;
  Tensor unsqueeze(long) const;
  Tensor squeeze(long) const;
  Tensor slice(...) const;
  Tensor operator[](long) const;
  template <class T> T item() const;
  ScalarType type() const;
  Tensor permute(IntArrayRef) const;
  template <class T, size_t N, class... R> PackedTensorAccessor32<T, N> packed_accessor32() const;
  template <class T, size_t N, template <class> class R> PackedTensorAccessor32<T, N> packed_accessor32() const;
  long nbytes() const;
  long storage_offset() const;
  Tensor mean(...) const;
  bool equal(Tensor) const;
  Tensor narrow(long, long, long) const;
  Tensor expand(IntArrayRef) const;
};
template <class... A> Tensor empty(A &&...);
template <class... A> Tensor zeros(A &&...);
template <class... A> Tensor ones(A &&...);
template <class... A> Tensor empty_like(A &&...);
template <class... A> Tensor zeros_like(A &&...);
template <class... A> Tensor full(A &&...);
template <class... A> Tensor ones_like(A &&...);
Tensor empty(std::initializer_list<long>, ...);
Tensor zeros(std::initializer_list<long>, ...);
typedef std::vector<Tensor> TensorList;
template <class T, bool C = true> struct acc_type_s {
  typedef T type;
};
template <class T, bool C> using acc_type = typename acc_type_s<T, C>::type;
template <class T> using opmath_type = T;
namespace native {}
template <class T> using numeric_limits = std::numeric_limits<T>;
extern ScalarType kFloat_;
const char *toString(ScalarType);
struct Generator {};
struct PhiloxCudaState {};
template <class T, int N> struct Array {
  T data[N];
  __host__ __device__ T &operator[](int);
};
} // namespace at
namespace torch {
using namespace at;
using c10::ScalarType;
const auto kHalf = ScalarType::Half, kFloat = ScalarType::Float, kFloat32 = ScalarType::Float,
           kFloat16 = ScalarType::Half, kInt = ScalarType::Int, kInt32 = ScalarType::Int, kInt64 = ScalarType::Long,
           kInt8 = ScalarType::Char, kUInt8 = ScalarType::Byte, kBFloat16 = ScalarType::BFloat16,
           kFloat64 = ScalarType::Double, kLong = ScalarType::Long, kBool = ScalarType::Bool, kByte = ScalarType::Byte,
           kDouble = ScalarType::Double, kFloat8_e4m3fn = ScalarType::Float8_e4m3fn, kInt16 = ScalarType::Short;
enum DT { kCUDA, kCPU };
typedef ScalarType Dtype;
template <class T> constexpr ScalarType CppTypeToScalarType();
TensorOptions dtype(ScalarType);
Tensor from_blob(...);
Tensor tensor(...);
Tensor randn(...);
using c10::IntArrayRef;
template <class T> using optional = std::optional<T>;
} // namespace torch
namespace at {
using torch::kBFloat16;
using torch::kByte;
using torch::kCUDA;
using torch::kDouble;
using torch::kFloat;
using torch::kHalf;
using torch::kInt;
using torch::kLong;
} // namespace at
namespace pybind11 {
struct module_ {
  template <class... A> module_ &def(A &&...);
};
struct arg {
  arg(const char *);
  template <class T> arg &operator=(T);
};
struct object {};
struct list {};
struct tuple {};
template <class... A> struct class_ {
  class_(module_ &, const char *);
  template <class... B> class_ &def(B &&...);
};
template <class... A> int init();
namespace literals {}
struct none {};
struct gil_scoped_release {};
template <class T> struct call_guard {};
} // namespace pybind11
namespace py = pybind11;
#define PYBIND11_MODULE(n, m) static void __pybind_init(pybind11::module_ &m)
#define TORCH_LIBRARY(n, m) static void __torch_lib(pybind11::module_ &m)
#define TORCH_LIBRARY_FRAGMENT(n, m) static void __torch_libf(pybind11::module_ &m)
#define TORCH_LIBRARY_IMPL(n, k, m) static void __torch_libi(pybind11::module_ &m)
#define TORCH_EXTENSION_NAME ext
#define TORCH_CHECK(...) ((void)0)
#define TORCH_CHECK_EQ(...) ((void)0)
#define TORCH_CHECK_GT(...) ((void)0)
#define TORCH_WARN(...) ((void)0)
#define TORCH_INTERNAL_ASSERT(...) ((void)0)
#define AT_ASSERTM(...) ((void)0)
#define AT_ASSERT(...) ((void)0)
#define AT_ERROR(...) ((void)0)
#define AT_CHECK(...) ((void)0)
#define C10_CUDA_CHECK(...) ((void)(__VA_ARGS__))
#define AT_CUDA_CHECK(...) ((void)(__VA_ARGS__))
#define CUDA_CHECK_ERRORS()
#define C10_CUDA_KERNEL_LAUNCH_CHECK() ((void)0)
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_RESTRICT __restrict__
#define C10_LAUNCH_BOUNDS_1(x) __launch_bounds__(x)
#define C10_WARP_SIZE 32
#define C10_LIKELY(x) (x)
#define C10_UNLIKELY(x) (x)
#define GPU_LAMBDA __host__ __device__
#define __ATD(...)                                                                                                     \
  [&] {                                                                                                                \
    using scalar_t = float;                                                                                            \
    return __VA_ARGS__();                                                                                              \
  }()
#define AT_DISPATCH_FLOATING_TYPES(t, n, ...) __ATD(__VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(t, n, ...) __ATD(__VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND(a, t, n, ...) __ATD(__VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(a, b, t, n, ...) __ATD(__VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES(t, n, ...) __ATD(__VA_ARGS__)
#define AT_DISPATCH_SWITCH(t, n, ...)                                                                                  \
  [&] {                                                                                                                \
    using scalar_t = float;                                                                                            \
    __VA_ARGS__                                                                                                        \
  }()
#define AT_DISPATCH_CASE(e, ...) __VA_ARGS__();
