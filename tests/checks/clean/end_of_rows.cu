// An end that is one row past the last one: nobody reads there.
#include <cuda_runtime.h>

#define T 16
__global__ void tr(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[T][T + 1];
    float* end = &tile[T][0];
    const int t = threadIdx.y * T + threadIdx.x;
    for (float* p = &tile[0][0] + t; p != end && p < &tile[T][0]; p += T * T) {
        if (p < &tile[T][0]) *p = 0.0f;
        if (end - p < T * T) break;
    }
    __syncthreads();
    int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();
    int ox = blockIdx.y * T + threadIdx.x, oy = blockIdx.x * T + threadIdx.y;
    if (ox < rows && oy < cols) out[oy * rows + ox] = tile[threadIdx.x][threadIdx.y];
}
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 b(T, T), g((cols + T - 1) / T, (rows + T - 1) / T);
    tr<<<g, b>>>(input, output, rows, cols);
}
