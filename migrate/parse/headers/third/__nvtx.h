#pragma once
template <class... A> void nvtxRangePush(A...);
template <class... A> void nvtxRangePop(A...);
