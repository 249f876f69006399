// What the host's functions say of memory from malloc in a kernel, and of the heap's limit once a
// kernel has used it. What is freed is there again.
#include <cstdio>

__global__ void take(float** where) {
  *where = (float*)malloc(64);
  **where = 3;
}

__global__ void take_much(int* count) {
  for (int round = 0; round < 20; ++round) {
    void* block = malloc(1 << 20);
    *count += block != nullptr;
    free(block);
  }
  *count += malloc(9 << 20) == nullptr;
}

static void say(const char* what, cudaError_t code) {
  printf("%s: %s\n", what, cudaGetErrorName(code));
}

int main() {
  float **where, *block, value;
  int *count, many = 0;
  size_t limit = 0;
  say("get", cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  printf("%zu\n", limit);
  cudaMalloc(&where, sizeof *where);
  cudaMalloc(&count, sizeof *count);
  cudaMemset(count, 0, sizeof *count);
  take<<<1, 1>>>(where);
  cudaMemcpy(&block, where, sizeof block, cudaMemcpyDeviceToHost);
  say("to the host", cudaMemcpy(&value, block, sizeof value, cudaMemcpyDeviceToHost));
  say("within", cudaMemcpy(where, block, sizeof value, cudaMemcpyDeviceToDevice));
  say("default", cudaMemcpy(&value, block, sizeof value, cudaMemcpyDefault));
  say("free", cudaFree(block));
  say("raise", cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20));
  cudaGetLastError();
  take_much<<<1, 1>>>(count);
  say("run", cudaDeviceSynchronize());
  cudaMemcpy(&many, count, sizeof many, cudaMemcpyDeviceToHost);
  printf("%d\n", many);
}
