// Gradient magnitude by a 3x3 stencil: the texture's clamp mode takes the place of bounds checks.
#include <cuda_runtime.h>

__device__ float at(cudaTextureObject_t image, int x, int y) { return tex2D<float>(image, x + 0.5f, y + 0.5f); }

__global__ void gradient(float* out, cudaTextureObject_t image, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float gx = 0.0f, gy = 0.0f;
    for (int d = -1; d <= 1; d++) {
        float weight = d == 0 ? 2.0f : 1.0f;
        gx += weight * (at(image, x + 1, y + d) - at(image, x - 1, y + d));
        gy += weight * (at(image, x + d, y + 1) - at(image, x + d, y - 1));
    }
    out[y * width + x] = sqrtf(gx * gx + gy * gy);
}

void gradient_of(float* out, float* pixels, size_t pitch, int width, int height) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = pixels;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc state = {};
    state.addressMode[0] = cudaAddressModeClamp;
    state.addressMode[1] = cudaAddressModeClamp;
    state.filterMode = cudaFilterModePoint;
    state.readMode = cudaReadModeElementType;
    cudaTextureObject_t image;
    cudaCreateTextureObject(&image, &resource, &state, nullptr);
    dim3 block(32, 4);
    gradient<<<dim3((width + 31) / 32, (height + 3) / 4), block>>>(out, image, width, height);
    cudaDestroyTextureObject(image);
}
