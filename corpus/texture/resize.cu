// Image resize through a filtered texture: 8-bit RGBA pixels read as floats, normalised coordinates.
#include <cstring>
#include <cuda_runtime.h>

__device__ unsigned char to_byte(float v) { return (unsigned char)(__saturatef(v) * 255.0f + 0.5f); }

__global__ void resize(uchar4* out, cudaTextureObject_t image, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float4 c = tex2D<float4>(image, (x + 0.5f) / width, (y + 0.5f) / height);
    out[y * width + x] = make_uchar4(to_byte(c.x), to_byte(c.y), to_byte(c.z), to_byte(c.w));
}

void resize_image(uchar4* out, const uchar4* pixels, int w, int h, int width, int height) {
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaMallocArray(&array, &format, w, h);
    cudaMemcpy2DToArray(array, 0, 0, pixels, w * sizeof(uchar4), w * sizeof(uchar4), h, cudaMemcpyHostToDevice);

    cudaResourceDesc resource;
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc state;
    memset(&state, 0, sizeof(state));
    state.addressMode[0] = state.addressMode[1] = cudaAddressModeClamp;
    state.filterMode = cudaFilterModeLinear;
    state.readMode = cudaReadModeNormalizedFloat;
    state.normalizedCoords = 1;
    cudaTextureObject_t image = 0;
    cudaCreateTextureObject(&image, &resource, &state, nullptr);

    dim3 block(16, 8);
    resize<<<dim3((width + 15) / 16, (height + 7) / 8), block>>>(out, image, width, height);
    cudaDestroyTextureObject(image);
    cudaFreeArray(array);
}
