// A texture whose filter is chosen when the program runs: what a fetch gives cannot be known before.
#include <cuda_runtime.h>
__global__ void sample(float* out, cudaTextureObject_t image, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = tex2D<float>(image, x + 0.25f, y + 0.75f);
}
void launch(float* out, cudaArray_t pixels, bool smooth, int width, int height) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = pixels;
    cudaTextureDesc state = {};
    state.addressMode[0] = state.addressMode[1] = cudaAddressModeClamp;
    state.filterMode = smooth ? cudaFilterModeLinear : cudaFilterModePoint;
    cudaTextureObject_t image;
    cudaCreateTextureObject(&image, &resource, &state, nullptr);
    sample<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(out, image, width, height);
}
