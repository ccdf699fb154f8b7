// Classes with reference members: a scalar, an element of shared memory, a pointer, an array.
#include <cuda_runtime.h>

struct Reader {
    const int*& at;
    const int* stop;
    __device__ Reader(const int*& from, int count) : at(from), stop(from + count) {}
    __device__ int take() { return *at++; }
};

struct Tally {
    int& seen;
    unsigned& bits;
    __device__ void mark(int value) {
        bits |= 1u << (value & 31);
        seen += 1;
    }
};

struct Ring {
    int (&slots)[4];
    __device__ int& operator[](int index) { return slots[index & 3]; }
};

__global__ void digest(unsigned* out, const int* in) {
    __shared__ unsigned masks[32];
    masks[threadIdx.x] = 0;
    const int* place = in + threadIdx.x * 6;
    Reader reader(place, 6);
    int seen = 0;
    Tally tally{seen, masks[threadIdx.x]};
    int last[4] = {};
    Ring ring{last};
    while (place != reader.stop) {
        int value = reader.take();
        ring[seen] = value;
        tally.mark(value);
    }
    out[threadIdx.x] = masks[threadIdx.x] + ring[5] * seen;
}

// A brace list hands an array over as it is written: here it becomes a pointer to bytes.
struct Cutter {
    char* rest;
    template <class Item>
    __device__ Item* piece(unsigned many) {
        char* start = rest;
        rest = start + many * sizeof(Item);
        return (Item*)start;
    }
};

__global__ void cut(double* out, const int* in) {
    extern __shared__ __align__(8) char bytes[];
    Cutter cutter{bytes};
    double* wide = cutter.piece<double>(32);
    int* narrow = cutter.piece<int>(blockDim.x);
    narrow[threadIdx.x] = in[threadIdx.x];
    wide[threadIdx.x & 31] = 0.75;
    __syncthreads();
    out[threadIdx.x] = wide[31] - narrow[threadIdx.x ^ 1];
}
