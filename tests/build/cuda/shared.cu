struct Item { float weight; int id; };
__constant__ float filter[3] = {0.25f, 0.5f, 0.25f};
__device__ int counter;
template <int T> __global__ void shared(float* x, int* out, int n) {
  __shared__ float tile[T][T + 1];
  __shared__ Item items[T];
  extern __shared__ char raw[];
  float* w = (float*)raw;
  int* id = (int*)(w + n);
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.x] * filter[1];
  items[threadIdx.x].weight = 1;
  items[threadIdx.x].id = 2;
  w[threadIdx.x] = 3;
  id[threadIdx.x] = 4;
  __syncthreads();
  static const int table[2][2] = {{1, 2}, {3, 4}};
  out[threadIdx.x] = id[0] + items[n].id + table[n][0] + atomicAdd(&counter, 1);
  x[0] = tile[threadIdx.x][threadIdx.y] + w[1] + items[0].weight;
}
void launch(float* x, int* out) { shared<16><<<1, 32>>>(x, out, 1); }

// Volatile lvalues mark the writes whose order lanes in step count on; plain ones beside them are plain.
__device__ void tail(volatile float* s, int t) { s[t] += s[t + 1]; }

__global__ void in_step(float* out) {
  __shared__ float a[64];
  volatile __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = t;
  b[t] = t;
  volatile float* p = a;
  p[t] = p[t + 2] * b[t]++;
  tail(a, t);
  out[t] = a[t];
}
