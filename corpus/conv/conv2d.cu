// Direct 2-D convolution with the filter in constant memory, and max pooling.
#include <cuda_runtime.h>
#include <float.h>

#define MAX_FILTER 7
__constant__ float c_filter[MAX_FILTER * MAX_FILTER];

__global__ void conv2d(const float* in, float* out, int width, int height, int radius) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float acc = 0.0f;
    int size = 2 * radius + 1;
    for (int dy = -radius; dy <= radius; ++dy) {
        for (int dx = -radius; dx <= radius; ++dx) {
            int sx = min(max(x + dx, 0), width - 1);
            int sy = min(max(y + dy, 0), height - 1);
            acc += in[sy * width + sx] * c_filter[(dy + radius) * size + dx + radius];
        }
    }
    out[y * width + x] = acc;
}

__global__ void max_pool(const float* in, float* out, int* argmax, int channels, int height, int width, int out_h, int out_w,
                         int window, int stride, int pad) {
    int total = channels * out_h * out_w;
    for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < total; index += blockDim.x * gridDim.x) {
        int ow = index % out_w;
        int oh = (index / out_w) % out_h;
        int c = index / out_w / out_h;
        int h0 = oh * stride - pad, w0 = ow * stride - pad;
        int h1 = min(h0 + window, height), w1 = min(w0 + window, width);
        h0 = max(h0, 0);
        w0 = max(w0, 0);
        float best = -FLT_MAX;
        int where = -1;
        const float* plane = in + c * height * width;
        for (int h = h0; h < h1; ++h)
            for (int w = w0; w < w1; ++w)
                if (plane[h * width + w] > best) {
                    best = plane[h * width + w];
                    where = h * width + w;
                }
        out[index] = best;
        argmax[index] = where;
    }
}

void forward(const float* image, float* filtered, float* pooled, int* argmax, const float* filter, int width, int height) {
    const int radius = 1;
    cudaMemcpyToSymbol(c_filter, filter, (2 * radius + 1) * (2 * radius + 1) * sizeof(float));
    dim3 block(16, 8);
    dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    conv2d<<<grid, block>>>(image, filtered, width, height, radius);
    int window = 3, stride = 2, pad = 1;
    int out_h = (height + 2 * pad - window) / stride + 1;
    int out_w = (width + 2 * pad - window) / stride + 1;
    int total = out_h * out_w;
    max_pool<<<(total + 127) / 128, 128>>>(filtered, pooled, argmax, 1, height, width, out_h, out_w, window, stride, pad);
}
