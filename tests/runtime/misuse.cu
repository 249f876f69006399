// Ends the process with a report; the first argument chooses how (test_api.py).
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cassert>
#include <cstdlib>

__global__ void checked(int n) { assert(n + (int)threadIdx.x < 3); }
__global__ void trapped() { __trap(); }

__global__ void copied(int bytes, int zeros) {
  __shared__ __align__(16) char to[16];
  __shared__ __align__(16) char from[16];
  from[threadIdx.x] = 1;
  __pipeline_memcpy_async(to, from, bytes, zeros);
}

int main(int, char** arguments) {
  int n = 2;
  void* packed[] = {&n};
  int bytes = 6, zeros = 0;
  void* sizes[] = {&bytes, &zeros};
  switch (atoi(arguments[1])) {
    case 0:
      cudaLaunchKernel(checked, dim3(1), dim3(2), packed);
      break;
    case 1:
      cudaLaunchKernel(trapped, dim3(1), dim3(1), nullptr);
      break;
    case 2:
      __threadfence();
      break;
    case 3:
      cudaDeviceReset();
      break;
    case 4:
      cudaLaunchKernel((void*)checked, dim3(1), dim3(1), packed, 0, 0);
      break;
    case 5:
      cudaLaunchKernel(copied, dim3(1), dim3(1), sizes);
      break;
    case 6:
      bytes = 8;
      zeros = 9;
      cudaLaunchKernel(copied, dim3(1), dim3(1), sizes);
      break;
  }
}
