// Control flow by goto.
__global__ void collatz(int* steps, const int* start, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = start[i] & 1023, k = 0;
again:
    if (v > 1) {
        v = v % 2 == 0 ? v / 2 : 3 * v + 1;
        ++k;
        goto again;
    }
    steps[i] = k;
}
void launch(int* steps, const int* start, int n) { collatz<<<(n + 63) / 64, 64>>>(steps, start, n); }
