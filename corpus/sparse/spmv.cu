// Sparse matrix times vector: CSR with a thread a row, ELL column-major.
#include <cuda_runtime.h>

__global__ void spmv_csr(float* y, const int* row_ptr, const int* col_idx, const float* values, const float* x, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        for (int e = row_ptr[row]; e < row_ptr[row + 1]; ++e) sum += values[e] * x[col_idx[e]];
        y[row] = sum;
    }
}

__global__ void spmv_ell(double* y, const int* cols, const double* vals, const double* x, int rows, int width) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    double sum = 0;
    for (int k = 0; k < width; k++) {
        int c = cols[k * rows + row];
        if (c < 0) continue;
        sum += vals[k * rows + row] * x[c];
    }
    y[row] = sum;
}

void spmv(float* y, const int* row_ptr, const int* col_idx, const float* values, const float* x, double* z, const int* cols,
          const double* vals, const double* w, int rows, int width) {
    spmv_csr<<<(rows + 127) / 128, 128>>>(y, row_ptr, col_idx, values, x, rows);
    spmv_ell<<<(rows + 127) / 128, 128>>>(z, cols, vals, w, rows, width);
}
