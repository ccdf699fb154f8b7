// Writing to a surface: one image is inverted into another, and a frame is drawn around it by clamped reads.
#include <cuda_runtime.h>

__global__ void invert(cudaSurfaceObject_t target, cudaSurfaceObject_t source, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    uchar4 p = surf2Dread<uchar4>(source, x * sizeof(uchar4), y);
    uchar4 left;
    surf2Dread(&left, source, (x - 1) * (int)sizeof(uchar4), y, cudaBoundaryModeClamp);
    uchar4 above = surf2Dread<uchar4>(source, x * sizeof(uchar4), y - 1, cudaBoundaryModeZero);
    p = make_uchar4(255 - p.x, 255 - p.y, (left.z + p.z) / 2, above.w);
    surf2Dwrite(p, target, x * sizeof(uchar4), y);
}

void invert_image(int width, int height) {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t from, to;
    cudaMallocArray(&from, &format, width, height, cudaArraySurfaceLoadStore);
    cudaMallocArray(&to, &format, width, height, cudaArraySurfaceLoadStore);
    cudaResourceDesc input = {}, output = {};
    input.resType = output.resType = cudaResourceTypeArray;
    input.res.array.array = from;
    output.res.array.array = to;
    cudaSurfaceObject_t source, target;
    cudaCreateSurfaceObject(&source, &input);
    cudaCreateSurfaceObject(&target, &output);
    invert<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(target, source, width, height);
    cudaDestroySurfaceObject(source);
    cudaDestroySurfaceObject(target);
}
