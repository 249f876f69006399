// A cooperative launch has to fit the device as a whole; the other checks are those of any launch.
#include <cooperative_groups.h>

#include <cstdio>

__global__ void count(int* counter) {
  cooperative_groups::this_grid().sync();
  atomicAdd(counter, 1);
}

static void report(const char* what, cudaError_t error, int* counter) {
  cudaError_t last = cudaGetLastError();
  cudaDeviceSynchronize();
  printf("%s: %s, last %s, %d\n", what, cudaGetErrorName(error), cudaGetErrorName(last), *counter);
  *counter = 0;
}

int main() {
  int *counter, processors = 0, fit = 0, supported = 0;
  cudaMallocManaged(&counter, sizeof(int));
  *counter = 0;
  void* arguments[] = {&counter};
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, count, 1024, 0);
  printf("supported %d, %d blocks of 1024 threads a multiprocessor\n", supported, fit);
  report("small", cudaLaunchCooperativeKernel(count, dim3(5), dim3(100), arguments), counter);
  report("too large",
         cudaLaunchCooperativeKernel(count, dim3(fit * processors + 1), dim3(1024), arguments),
         counter);
  report("no blocks", cudaLaunchCooperativeKernel(count, dim3(0), dim3(32), arguments), counter);
  report("threads", cudaLaunchCooperativeKernel(count, dim3(1), dim3(2000), arguments), counter);
  report("small again", cudaLaunchCooperativeKernel(count, dim3(2), dim3(32), arguments), counter);
  cudaFree(counter);
}
