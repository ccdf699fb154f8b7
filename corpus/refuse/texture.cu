// A texture fetch through a texture object.
#include <cuda_runtime.h>
__global__ void sample(float* out, cudaTextureObject_t image, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = tex2D<float>(image, x + 0.25f, y + 0.75f);
}
void launch(float* out, cudaTextureObject_t image, int width, int height) {
    sample<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(out, image, width, height);
}
