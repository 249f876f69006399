// Ends the process with a report; the first argument chooses how (test_api.py).
#include <cuda_runtime.h>

#include <cassert>
#include <cstdlib>

__global__ void checked(int n) { assert(n + (int)threadIdx.x < 3); }
__global__ void trapped() { __trap(); }

int main(int, char** arguments) {
  int n = 2;
  void* packed[] = {&n};
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
  }
}
