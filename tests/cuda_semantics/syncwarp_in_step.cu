// A reduction within a warp in which all lanes take part in each step: a lane's partner overwrites
// what the lane reads, in the same step but after it.
#include <cstdio>

__global__ void reduce(const float* in, float* out) {
    __shared__ volatile float s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    if (t < 32) {
        for (int by = 32; by > 0; by /= 2) {
            s[t] += s[t + by];
            __syncwarp();
        }
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

int main() {
    float in[256], out[4], *a, *b;
    for (int i = 0; i < 256; ++i) in[i] = float(i % 7);
    cudaMalloc(&a, sizeof in);
    cudaMalloc(&b, sizeof out);
    cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);
    reduce<<<4, 64>>>(a, b);
    cudaMemcpy(out, b, sizeof out, cudaMemcpyDeviceToHost);
    for (float sum : out) printf("%g\n", sum);
}
