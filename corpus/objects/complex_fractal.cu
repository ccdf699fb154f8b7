// A class with operators and methods, passed by value and by reference.
#include <cuda_runtime.h>

struct Complex {
    float re, im;
    __host__ __device__ Complex(float r = 0.0f, float i = 0.0f) : re(r), im(i) {}
    __host__ __device__ Complex operator+(const Complex& o) const { return Complex(re + o.re, im + o.im); }
    __host__ __device__ Complex operator*(const Complex& o) const {
        return Complex(re * o.re - im * o.im, re * o.im + im * o.re);
    }
    __host__ __device__ Complex& operator*=(float s) {
        re *= s;
        im *= s;
        return *this;
    }
    __host__ __device__ float norm() const { return re * re + im * im; }
};

__device__ void step(Complex& z, const Complex& c, int& count) {
    z = z * z + c;
    ++count;
}

__global__ void julia_set(int* out, int width, int height, Complex seed, float zoom) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    Complex z(2.0f * x / width - 1.0f, 2.0f * y / height - 1.0f);
    z *= zoom;
    int count = 0;
    while (count < 64 && z.norm() < 4.0f) step(z, seed, count);
    out[y * width + x] = count;
}

void julia(int* out, int width, int height) {
    dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    julia_set<<<grid, block>>>(out, width, height, Complex(-0.8f, 0.156f), 1.5f);
}
