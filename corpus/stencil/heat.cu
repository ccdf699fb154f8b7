// Heat equation: 2-D five-point step through a shared halo tile, and a 3-D seven-point step on a 3-D grid.
#include <cuda_runtime.h>
#include <utility>

#define TX 16
#define TY 16

__global__ void heat2d(float* next, const float* now, int nx, int ny, float k) {
    __shared__ float tile[TY + 2][TX + 2];
    int x = blockIdx.x * TX + threadIdx.x;
    int y = blockIdx.y * TY + threadIdx.y;
    int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
    bool inside = x < nx && y < ny;
    if (inside) {
        tile[ly][lx] = now[y * nx + x];
        if (threadIdx.x == 0) tile[ly][0] = x > 0 ? now[y * nx + x - 1] : 0.0f;
        if (threadIdx.x == TX - 1 || x == nx - 1) tile[ly][lx + 1] = x < nx - 1 ? now[y * nx + x + 1] : 0.0f;
        if (threadIdx.y == 0) tile[0][lx] = y > 0 ? now[(y - 1) * nx + x] : 0.0f;
        if (threadIdx.y == TY - 1 || y == ny - 1) tile[ly + 1][lx] = y < ny - 1 ? now[(y + 1) * nx + x] : 0.0f;
    }
    __syncthreads();
    if (inside) {
        float centre = tile[ly][lx];
        next[y * nx + x] =
            centre + k * (tile[ly][lx - 1] + tile[ly][lx + 1] + tile[ly - 1][lx] + tile[ly + 1][lx] - 4.0f * centre);
    }
}

__global__ void heat3d(double* next, const double* now, int nx, int ny, int nz, double k) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
    long long i = ((long long)z * ny + y) * nx + x;
    long long plane = (long long)nx * ny;
    next[i] = now[i] + k * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx] + now[i - plane] + now[i + plane] - 6 * now[i]);
}

void simulate(float* a, float* b, int nx, int ny, double* c, double* d, int nz, int steps) {
    dim3 block(TX, TY), grid((nx + TX - 1) / TX, (ny + TY - 1) / TY);
    for (int s = 0; s < steps; ++s) {
        heat2d<<<grid, block>>>(b, a, nx, ny, 0.1f);
        std::swap(a, b);
    }
    dim3 block3(8, 4, 4), grid3((nx + 7) / 8, (ny + 3) / 4, (nz + 3) / 4);
    heat3d<<<grid3, block3>>>(d, c, nx, ny, nz, 0.05);
}
