// 8-bit floats.
#pragma once

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
struct __nv_fp8_e4m3 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e4m3() = default;
  template <class T> HD explicit __nv_fp8_e4m3(T);
  HD explicit operator float() const;
  HD explicit operator __half() const;
  HD explicit operator __nv_bfloat16() const;
};
struct __nv_fp8_e5m2 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e5m2() = default;
  template <class T> HD explicit __nv_fp8_e5m2(T);
  HD explicit operator float() const;
  HD explicit operator __half() const;
};
struct __nv_fp8x2_e4m3 {
  __nv_fp8x2_storage_t __x;
  __nv_fp8x2_e4m3() = default;
  template <class T> HD explicit __nv_fp8x2_e4m3(T);
  HD explicit operator float2() const;
  HD explicit operator __half2() const;
};
struct __nv_fp8x4_e4m3 {
  __nv_fp8x4_storage_t __x;
  __nv_fp8x4_e4m3() = default;
  template <class T> HD explicit __nv_fp8x4_e4m3(T);
  HD explicit operator float4() const;
};
struct __nv_fp8x2_e5m2 {
  __nv_fp8x2_storage_t __x;
  template <class T> HD explicit __nv_fp8x2_e5m2(T);
  HD explicit operator float2() const;
};
HD __nv_fp8_storage_t __nv_cvt_float_to_fp8(float, __nv_saturation_t, __nv_fp8_interpretation_t);
HD __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2, __nv_saturation_t, __nv_fp8_interpretation_t);
HD __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t, __nv_fp8_interpretation_t);
HD __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t, __nv_fp8_interpretation_t);
HD __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw, __nv_saturation_t, __nv_fp8_interpretation_t);
