// Streams and events: order within a stream, elapsed times that are not negative.
#include <cstdio>

__global__ void add(int* out, int value) { *out = *out * 2 + value; }

int main() {
  int *out, host = -1;
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  cudaEvent_t start, stop, unused;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventCreateWithFlags(&unused, cudaEventDisableTiming);
  cudaEventRecord(start);
  for (int i = 0; i < 5; ++i) add<<<1, 1>>>(out, i);
  cudaEventRecord(stop, 0);
  printf("%s\n", cudaGetErrorName(cudaEventSynchronize(stop)));
  float elapsed = -1;
  cudaError_t error = cudaEventElapsedTime(&elapsed, start, stop);
  printf("%s %d\n", cudaGetErrorName(error), elapsed >= 0);
  printf("%s\n", cudaGetErrorName(cudaEventQuery(stop)));

  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
  add<<<1, 1, 0, one>>>(out, 7);
  cudaEventRecord(unused, one);
  cudaStreamWaitEvent(two, unused, 0);
  add<<<1, 1, 0, two>>>(out, 9);
  cudaMemcpyAsync(&host, out, sizeof host, cudaMemcpyDeviceToHost, two);
  error = cudaStreamSynchronize(two);
  printf("%s %d\n", cudaGetErrorName(error), host);
  printf("%s\n", cudaGetErrorName(cudaStreamQuery(one)));
  cudaStreamDestroy(one);
  cudaStreamDestroy(two);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaEventDestroy(unused);
  cudaFree(out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
