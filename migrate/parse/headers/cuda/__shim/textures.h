// Textures and surfaces.
#pragma once

struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned maxAnisotropy;
};
template <class T, int D = 1, cudaTextureReadMode M = cudaReadModeElementType> struct texture : textureReference {
  texture() = default;
  texture(int, cudaTextureFilterMode, cudaTextureAddressMode, cudaChannelFormatDesc = {});
};
struct surfaceReference {
  cudaChannelFormatDesc channelDesc;
};
template <class T, int D = 1> struct surface : surfaceReference {};
template <class T, cudaTextureReadMode M> struct __texret {
  typedef T type;
};
template <> struct __texret<unsigned char, cudaReadModeNormalizedFloat> {
  typedef float type;
};
template <> struct __texret<uchar4, cudaReadModeNormalizedFloat> {
  typedef float4 type;
};
template <> struct __texret<unsigned short, cudaReadModeNormalizedFloat> {
  typedef float type;
};
template <> struct __texret<char, cudaReadModeNormalizedFloat> {
  typedef float type;
};
#define TEXF(n)                                                                                                        \
  template <class T, int D, cudaTextureReadMode M, class... A>                                                         \
  DV typename __texret<T, M>::type n(texture<T, D, M>, A...);                                                          \
  template <class T, class... A> DV T n(cudaTextureObject_t, A...);                                                    \
  template <class T, class... A> DV void n(T *, cudaTextureObject_t, A...);
TEXF(tex1D)
TEXF(tex2D)
TEXF(tex3D)
TEXF(tex1Dfetch)
TEXF(tex1DLayered)
TEXF(tex2DLayered)
TEXF(texCubemap)
TEXF(tex1DLod)
TEXF(tex2DLod)
TEXF(tex3DLod)
TEXF(tex2DGrad)
TEXF(tex1DGrad)
TEXF(tex2Dgather)
TEXF(tex3DGrad)
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
#define SURF(n)                                                                                                        \
  template <class T, class... A> DV T n(cudaSurfaceObject_t, A...);                                                    \
  template <class T, class... A> DV void n(T *, cudaSurfaceObject_t, A...);                                            \
  template <class T, int D, class... A> DV void n(T *, surface<void, D>, A...);                                        \
  template <class T, int D, class... A> DV T n(surface<void, D>, A...);
SURF(surf1Dread)
SURF(surf2Dread)
SURF(surf3Dread)
SURF(surf2DLayeredread)
template <class T, class... A> DV void surf1Dwrite(T, A...);
template <class T, class... A> DV void surf2Dwrite(T, A...);
template <class T, class... A> DV void surf3Dwrite(T, A...);
template <class T, class... A> DV void surf2DLayeredwrite(T, A...);
