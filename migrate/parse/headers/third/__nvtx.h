#pragma once
template <class... A> void nvtxRangePush(A...);
template <class... A> void nvtxRangePop(A...);
template <class... A> void nvtxNameCudaStreamA(A...);
template <class... A> void nvtxMarkA(A...);
template <class... A> void nvtxRangePushA(A...);
template <class... A> void nvtxRangePushEx(A...);
template <class... A> void nvtxNameOsThreadA(A...);
