__global__ void ping_pong(float* a, float* b, int steps) {
  float* source = a;
  float* target = b;
  for (int s = 0; s < steps; s++) {
    target[threadIdx.x] = source[threadIdx.x] + 1;
    float* swap = source;
    source = target;
    target = swap;
  }
}
