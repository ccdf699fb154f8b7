// Every integer atomic, 32 and 64 bits, with and without the old value.
#include <cuda_runtime.h>

__global__ void bit_sets(unsigned* any, unsigned* all, unsigned* parity, const unsigned* in, int n, int words) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int w = i % words;
    atomicOr(&any[w], in[i]);
    atomicAnd(&all[w], in[i]);
    atomicXor(&parity[w], in[i]);
}

__global__ void ring_tickets(unsigned* head, unsigned* tail, int* ring, const int* in, int n, unsigned size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned slot = atomicInc(head, size - 1);
    ring[slot] = in[i];
    unsigned back = atomicDec(tail, size - 1);
    ring[size + back] = in[i];
}

__global__ void wide_counters(unsigned long long* total, long long* low, long long* high, const long long* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(total, (unsigned long long)in[i]);
    atomicMin(low, in[i]);
    atomicMax(high, in[i]);
    atomicXor(total + 1, (unsigned long long)in[i]);
    atomicAnd(total + 2, (unsigned long long)in[i]);
    atomicOr(total + 3, (unsigned long long)in[i]);
}

__global__ void pop_and_swap(int* stack, int* top, int* mailbox, const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int place = atomicSub(top, 1);
    if (place > 0) {
        stack[place - 1] = atomicExch(&mailbox[i & 7], in[i]);
    }
}

void integers(unsigned* any, unsigned* all, unsigned* parity, const unsigned* in, int n, unsigned* head, unsigned* tail,
              int* ring, const int* values, unsigned long long* total, long long* low, long long* high,
              const long long* wide, int* stack, int* top, int* mailbox) {
    int blocks = (n + 127) / 128;
    bit_sets<<<blocks, 128>>>(any, all, parity, in, n, 32);
    ring_tickets<<<blocks, 128>>>(head, tail, ring, values, n, 64u);
    wide_counters<<<blocks, 128>>>(total, low, high, wide, n);
    pop_and_swap<<<blocks, 128>>>(stack, top, mailbox, values, n);
}
