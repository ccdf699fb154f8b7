// 64x64 block tile, 4x4 results a thread, float4 loads. Sizes are multiples of the tile.
#include <cuda_runtime.h>
#include <cassert>

#define BM 64
#define BN 64
#define BK 8
#define TM 4
#define TN 4

__global__ void __launch_bounds__(256) gemm_register_tiled(int M, int N, int K, const float* A, const float* B, float* C) {
    __shared__ float As[BK * BM];
    __shared__ float Bs[BK * BN];
    const int tid = threadIdx.x;
    const int thread_row = tid / (BN / TN);
    const int thread_col = tid % (BN / TN);

    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;

    float acc[TM][TN] = {0.0f};
    float reg_m[TM];
    float reg_n[TN];

    for (int k0 = 0; k0 < K; k0 += BK) {
        if (tid < 128) {
            int r = tid / 2, c = (tid % 2) * 4;
            float4 v = *reinterpret_cast<const float4*>(&A[r * K + c]);
            As[(c + 0) * BM + r] = v.x;
            As[(c + 1) * BM + r] = v.y;
            As[(c + 2) * BM + r] = v.z;
            As[(c + 3) * BM + r] = v.w;
        } else {
            int r = (tid - 128) / 16, c = ((tid - 128) % 16) * 4;
            *reinterpret_cast<float4*>(&Bs[r * BN + c]) = *reinterpret_cast<const float4*>(&B[r * N + c]);
        }
        __syncthreads();
        A += BK;
        B += BK * N;
        for (int k = 0; k < BK; ++k) {
            for (int i = 0; i < TM; ++i) reg_m[i] = As[k * BM + thread_row * TM + i];
            for (int j = 0; j < TN; ++j) reg_n[j] = Bs[k * BN + thread_col * TN + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) acc[i][j] += reg_m[i] * reg_n[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) C[(thread_row * TM + i) * N + thread_col * TN + j] = acc[i][j];
}

void gemm_fast(int M, int N, int K, const float* A, const float* B, float* C) {
    assert(M % BM == 0 && N % BN == 0 && K % BK == 0);
    gemm_register_tiled<<<dim3(N / BN, M / BM), (BM * BN) / (TM * TN)>>>(M, N, K, A, B, C);
}
