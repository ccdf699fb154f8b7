// Texture and surface objects: an object is the address of an oracle_texture that the runner made from the case.
// What a fetch means is docs/semantics.md, "Textures".
#pragma once
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };

template <class T> struct oracle_texel;
#define ORACLE_TEXEL(TYPE, CHANNEL, COUNT)                                                                             \
  template <> struct oracle_texel<TYPE> {                                                                              \
    typedef CHANNEL channel;                                                                                           \
    enum { count = COUNT };                                                                                            \
  };
#define ORACLE_TEXELS(NAME, CHANNEL)                                                                                   \
  ORACLE_TEXEL(CHANNEL, CHANNEL, 1)                                                                                    \
  ORACLE_TEXEL(NAME##1, CHANNEL, 1)                                                                                    \
  ORACLE_TEXEL(NAME##2, CHANNEL, 2)                                                                                    \
  ORACLE_TEXEL(NAME##4, CHANNEL, 4)
ORACLE_TEXEL(char, char, 1)
ORACLE_TEXELS(char, signed char)
ORACLE_TEXELS(uchar, unsigned char)
ORACLE_TEXELS(short, short)
ORACLE_TEXELS(ushort, unsigned short)
ORACLE_TEXELS(int, int)
ORACLE_TEXELS(uint, unsigned int)
ORACLE_TEXELS(float, float)
#undef ORACLE_TEXELS
#undef ORACLE_TEXEL

// Address modes and formats by number: see running.py.
enum { ORACLE_WRAP, ORACLE_CLAMP, ORACLE_MIRROR, ORACLE_BORDER };
enum { ORACLE_INT8, ORACLE_UINT8, ORACLE_INT16, ORACLE_UINT16, ORACLE_OTHER };

// Along one axis: the one or two texels that are read (-1: a texel of the border, zero) and their weights in 1/256.
struct oracle_taps {
  long at[2];
  int weight[2];
};

static inline long oracle_limited(long i, long n) { return i < 0 ? 0 : i > n - 1 ? n - 1 : i; }

static inline oracle_taps oracle_axis(const oracle_texture* t, int axis, float x) {
  const long n = t->extent[axis];
  const int mode = t->address[axis];
  // Where the hardware's own fixed-point coordinates end is not documented.
  if (!(x > -4194304.0f && x < 4194304.0f)) {
    oracle_note("texture_coordinate");
    x = 0;
  }
  if (t->normalized) {
    if (mode == ORACLE_WRAP || mode == ORACLE_MIRROR) {
      float part = fmodf(x, 1.0f);
      long whole = (long)truncf(x);
      if (part < 0) {
        part = part + 1.0f;
        whole = whole - 1;
      }
      x = mode == ORACLE_MIRROR && whole % 2 != 0 ? 1.0f - part : part;
    }
    x = x * (float)n;
  }
  oracle_taps taps;
  if (!t->linear) {
    const long i = (long)floorf(x);
    taps.at[0] = mode == ORACLE_BORDER && (i < 0 || i >= n) ? -1 : oracle_limited(i, n);
    taps.at[1] = -1;
    taps.weight[0] = 256;
    taps.weight[1] = 0;
    return taps;
  }
  if (mode != ORACLE_BORDER) x = x < 0 ? 0 : x > (float)n ? (float)n : x;
  x = x - 0.5f;
  const float below = floorf(x);
  taps.weight[1] = (int)lrintf(ldexpf(x - below, 8));
  taps.weight[0] = 256 - taps.weight[1];
  for (int k = 0; k < 2; k++) {
    const long i = (long)below + k;
    if (mode == ORACLE_BORDER) taps.at[k] = i < 0 || i >= n ? -1 : i;
    else if (mode == ORACLE_WRAP) taps.at[k] = (i + n) % n;
    else taps.at[k] = oracle_limited(i, n);
  }
  return taps;
}

// One channel of a texel as the kernel sees it.
template <class C> static inline C oracle_channel(const oracle_texture* t, long element) {
  if (t->scaled) {
    float value = 0;
    switch (t->format) {
      case ORACLE_UINT8: value = (float)((const unsigned char*)t->data)[element] / 255.0f; break;
      case ORACLE_UINT16: value = (float)((const unsigned short*)t->data)[element] / 65535.0f; break;
      case ORACLE_INT8: value = (float)((const signed char*)t->data)[element] / 127.0f; break;
      case ORACLE_INT16: value = (float)((const short*)t->data)[element] / 32767.0f; break;
      default: oracle_trap("a texture of this format is not read as scaled floats", 0);
    }
    return (C)(value < -1.0f ? -1.0f : value);
  }
  return ((const C*)t->data)[element];
}

template <class T> static inline T oracle_sample(cudaTextureObject_t object, int rank, float x, float y, float z) {
  typedef typename oracle_texel<T>::channel C;
  constexpr int channels = oracle_texel<T>::count;
  const oracle_texture* t = (const oracle_texture*)object;
  const float coordinates[3] = {x, y, z};
  oracle_taps axes[3] = {{{0, 0}, {256, 0}}, {{0, 0}, {256, 0}}, {{0, 0}, {256, 0}}};
  for (int axis = 0; axis < rank; axis++) axes[axis] = oracle_axis(t, axis, coordinates[axis]);
  union {
    T whole;
    C part[channels];
  } result;
  memset(&result, 0, sizeof result);
  const int corners = t->linear ? 1 << rank : 1;
  for (int corner = 0; corner < corners; corner++) {
    long at[3], weight = 1;
    bool inside = true;
    for (int axis = 0; axis < 3; axis++) {
      const int k = corner >> axis & 1;
      at[axis] = axes[axis].at[k];
      if (axis < rank) weight *= axes[axis].weight[k];
      inside = inside && at[axis] >= 0;
    }
    const long texel = (at[2] * (rank > 1 ? t->extent[1] : 1) + at[1]) * t->extent[0] + at[0];
    for (int c = 0; c < channels; c++) {
      const C value = inside ? oracle_channel<C>(t, texel * channels + c) : (C)0;
      if (!t->linear) {
        result.part[c] = value;
        continue;
      }
      const float term = ldexpf((float)weight, -8 * rank) * (float)value;
      result.part[c] = corner == 0 ? (C)term : (C)((float)result.part[c] + term);
    }
  }
  return result.whole;
}

template <class T> static inline T tex1D(cudaTextureObject_t t, float x) { return oracle_sample<T>(t, 1, x, 0, 0); }
template <class T> static inline T tex2D(cudaTextureObject_t t, float x, float y) { return oracle_sample<T>(t, 2, x, y, 0); }
template <class T> static inline T tex3D(cudaTextureObject_t t, float x, float y, float z) { return oracle_sample<T>(t, 3, x, y, z); }
template <class T> static inline T tex1DLod(cudaTextureObject_t t, float x, float) { return tex1D<T>(t, x); }
template <class T> static inline T tex2DLod(cudaTextureObject_t t, float x, float y, float) { return tex2D<T>(t, x, y); }
template <class T> static inline T tex3DLod(cudaTextureObject_t t, float x, float y, float z, float) { return tex3D<T>(t, x, y, z); }
template <class T> static inline T tex1Dfetch(cudaTextureObject_t object, int i) {
  typedef typename oracle_texel<T>::channel C;
  constexpr int channels = oracle_texel<T>::count;
  const oracle_texture* t = (const oracle_texture*)object;
  T result;
  memset(&result, 0, sizeof result);
  if (i >= 0 && i < t->extent[0])
    for (int c = 0; c < channels; c++) ((C*)&result)[c] = oracle_channel<C>(t, (long)i * channels + c);
  return result;
}
template <class T> static inline void tex1Dfetch(T* v, cudaTextureObject_t t, int i) { *v = tex1Dfetch<T>(t, i); }
template <class T> static inline void tex1D(T* v, cudaTextureObject_t t, float x) { *v = tex1D<T>(t, x); }
template <class T> static inline void tex2D(T* v, cudaTextureObject_t t, float x, float y) { *v = tex2D<T>(t, x, y); }
template <class T> static inline void tex3D(T* v, cudaTextureObject_t t, float x, float y, float z) { *v = tex3D<T>(t, x, y, z); }

// Surfaces. The address of a texel, or null for an access outside that has no effect.
template <class T> static inline T* oracle_surface(cudaSurfaceObject_t object, int rank, int x, int y, int z, int mode, int line) {
  const oracle_texture* t = (const oracle_texture*)object;
  if (x % (int)sizeof(T) != 0) oracle_note("misaligned");
  long at[3] = {x / (int)sizeof(T), y, z};
  for (int axis = 0; axis < rank; axis++) {
    if (at[axis] >= 0 && at[axis] < t->extent[axis]) continue;
    if (mode == cudaBoundaryModeTrap) oracle_trap("a surface is accessed outside, which traps", line);
    if (mode == cudaBoundaryModeZero) return nullptr;
    at[axis] = oracle_limited(at[axis], t->extent[axis]);
  }
  return (T*)t->data + ((at[2] * (rank > 1 ? t->extent[1] : 1) + at[1]) * t->extent[0] + at[0]);
}

template <class T>
static inline T surf1Dread(cudaSurfaceObject_t s, int x, int mode = cudaBoundaryModeTrap, ORACLE_LINE) {
  const T* at = oracle_surface<T>(s, 1, x, 0, 0, mode, line);
  T nothing;
  memset(&nothing, 0, sizeof nothing);
  return at ? *at : nothing;
}
template <class T>
static inline void surf1Dread(T* v, cudaSurfaceObject_t s, int x, int mode = cudaBoundaryModeTrap, ORACLE_LINE) {
  *v = surf1Dread<T>(s, x, mode, line);
}
template <class T>
static inline void surf1Dwrite(T v, cudaSurfaceObject_t s, int x, int mode = cudaBoundaryModeTrap, ORACLE_LINE) {
  T* at = oracle_surface<T>(s, 1, x, 0, 0, mode, line);
  if (at) *at = v;
}

template <class T>
static inline T surf2Dread(cudaSurfaceObject_t s, int x, int y, int mode = cudaBoundaryModeTrap, ORACLE_LINE) {
  const T* at = oracle_surface<T>(s, 2, x, y, 0, mode, line);
  T nothing;
  memset(&nothing, 0, sizeof nothing);
  return at ? *at : nothing;
}
template <class T>
static inline void surf2Dread(T* v, cudaSurfaceObject_t s, int x, int y, int mode = cudaBoundaryModeTrap, ORACLE_LINE) {
  *v = surf2Dread<T>(s, x, y, mode, line);
}
template <class T>
static inline void surf2Dwrite(T v, cudaSurfaceObject_t s, int x, int y, int mode = cudaBoundaryModeTrap, ORACLE_LINE) {
  T* at = oracle_surface<T>(s, 2, x, y, 0, mode, line);
  if (at) *at = v;
}

template <class T>
static inline T surf3Dread(cudaSurfaceObject_t s, int x, int y, int z, int mode = cudaBoundaryModeTrap, ORACLE_LINE) {
  const T* at = oracle_surface<T>(s, 3, x, y, z, mode, line);
  T nothing;
  memset(&nothing, 0, sizeof nothing);
  return at ? *at : nothing;
}
template <class T>
static inline void surf3Dread(T* v, cudaSurfaceObject_t s, int x, int y, int z, int mode = cudaBoundaryModeTrap, ORACLE_LINE) {
  *v = surf3Dread<T>(s, x, y, z, mode, line);
}
template <class T>
static inline void surf3Dwrite(T v, cudaSurfaceObject_t s, int x, int y, int z, int mode = cudaBoundaryModeTrap, ORACLE_LINE) {
  T* at = oracle_surface<T>(s, 3, x, y, z, mode, line);
  if (at) *at = v;
}
