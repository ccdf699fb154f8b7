// 8-bit image work: grey from RGB, box blur with uchar4, bilinear resize.
#include <cuda_runtime.h>

__global__ void rgb_to_grey(unsigned char* grey, const unsigned char* rgb, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        int i = y * width + x;
        unsigned char r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
        grey[i] = (unsigned char)(0.299f * r + 0.587f * g + 0.114f * b);
    }
}

__global__ void box_blur(uchar4* out, const uchar4* in, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int r = 0, g = 0, b = 0, count = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            int sx = x + dx, sy = y + dy;
            if (sx < 0 || sy < 0 || sx >= width || sy >= height) continue;
            uchar4 p = in[sy * width + sx];
            r += p.x;
            g += p.y;
            b += p.z;
            count++;
        }
    }
    uchar4 result;
    result.x = r / count;
    result.y = g / count;
    result.z = b / count;
    result.w = in[y * width + x].w;
    out[y * width + x] = result;
}

__global__ void resize_bilinear(float* dst, const float* src, int sw, int sh, int dw, int dh) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= dw || y >= dh) return;
    float fx = (x + 0.5f) * sw / dw - 0.5f;
    float fy = (y + 0.5f) * sh / dh - 0.5f;
    fx = fmaxf(fx, 0.0f);
    fy = fmaxf(fy, 0.0f);
    int x0 = (int)floorf(fx), y0 = (int)floorf(fy);
    int x1 = min(x0 + 1, sw - 1), y1 = min(y0 + 1, sh - 1);
    float wx = fx - x0, wy = fy - y0;
    float top = src[y0 * sw + x0] * (1 - wx) + src[y0 * sw + x1] * wx;
    float bottom = src[y1 * sw + x0] * (1 - wx) + src[y1 * sw + x1] * wx;
    dst[y * dw + x] = top * (1 - wy) + bottom * wy;
}

void pipeline(unsigned char* grey, const unsigned char* rgb, uchar4* blurred, const uchar4* rgba, float* small, const float* big,
              int width, int height) {
    dim3 block(16, 16);
    dim3 grid((width + 15) / 16, (height + 15) / 16);
    rgb_to_grey<<<grid, block>>>(grey, rgb, width, height);
    box_blur<<<grid, block>>>(blurred, rgba, width, height);
    int dw = width / 2, dh = height / 2;
    resize_bilinear<<<dim3((dw + 15) / 16, (dh + 15) / 16), block>>>(small, big, width, height, dw, dh);
}
