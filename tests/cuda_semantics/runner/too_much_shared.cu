// 48 KiB and 4 bytes of static shared memory, which nvcc's assembler refuses.
template <int N>
__global__ void big(float* p) {
  __shared__ float values[N];
  values[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = values[0];
}

extern "C" __attribute__((visibility("default"))) void solve(const float*, float* out, int n, int) {
  big<12289><<<1, n>>>(out);
}
