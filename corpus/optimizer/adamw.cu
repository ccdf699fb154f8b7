// AdamW step with decoupled weight decay, as in training loops.
#include <cuda_runtime.h>

__device__ inline float lerp(float start, float end, float weight) { return fmaf(weight, end, fmaf(-weight, start, start)); }

__global__ void adamw_step(float* params, const float* grads, float* m_memory, float* v_memory, long num_parameters, float learning_rate,
                           float beta1, float beta2, float beta1_correction, float beta2_correction, float eps, float weight_decay) {
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i >= num_parameters) return;
    float grad = grads[i];
    float m = m_memory[i];
    float v = v_memory[i];
    m = lerp(grad, m, beta1);
    m_memory[i] = m;
    v = lerp(grad * grad, v, beta2);
    v_memory[i] = v;
    m /= beta1_correction;
    v /= beta2_correction;
    params[i] -= learning_rate * (m / (sqrtf(v) + eps) + weight_decay * params[i]);
}

void update(float* params, const float* grads, float* m, float* v, long count, int t) {
    float beta1 = 0.9f, beta2 = 0.95f;
    int block = 512;
    long blocks = (count + block - 1) / block;
    adamw_step<<<blocks, block>>>(params, grads, m, v, count, 1e-3f, beta1, beta2, 1.0f - powf(beta1, t), 1.0f - powf(beta2, t), 1e-8f,
                                  0.01f);
}
