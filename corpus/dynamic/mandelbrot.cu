// Escape-time fractal with data-dependent loops, and a calculator over a switch and a do-while.
#include <cuda_runtime.h>

__global__ void mandelbrot(int* iterations, int width, int height, float x0, float y0, float step, int limit) {
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    float cx = x0 + px * step, cy = y0 + py * step;
    float zx = 0.0f, zy = 0.0f;
    int k = 0;
    while (k < limit) {
        float xx = zx * zx, yy = zy * zy;
        if (xx + yy > 4.0f) break;
        zy = 2.0f * zx * zy + cy;
        zx = xx - yy + cx;
        ++k;
    }
    iterations[py * width + px] = k;
}

__global__ void apply_ops(int* values, const unsigned char* ops, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = values[i];
    switch (ops[i] % 5) {
        case 0:
            v = v / 3;
            break;
        case 1:
            v = v % 7;
            break;
        case 2:
            v ^= 0x55;
            // fall through
        case 3:
            v = -v;
            break;
        default: {
            int steps = 0;
            unsigned int u = (unsigned int)v;
            do {
                u >>= 1;
                steps++;
            } while (u != 0u);
            v = steps;
        }
    }
    values[i] = v;
}

void render(int* iterations, int* values, const unsigned char* ops, int n) {
    int width = 96, height = 64;
    dim3 block(16, 16);
    mandelbrot<<<dim3((width + 15) / 16, (height + 15) / 16), block>>>(iterations, width, height, -2.0f, -1.0f, 0.03125f, 50);
    apply_ops<<<(n + 127) / 128, 128>>>(values, ops, n);
}
