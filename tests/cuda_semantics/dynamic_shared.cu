// extern __shared__ arrays: in functions, at file scope, in a template, with two views of one array,
// and sizes that differ from launch to launch.
#include <cstdio>

extern __shared__ int at_file_scope[];

__global__ void reverse(int* data, int n) {
  extern __shared__ int part[];
  int i = threadIdx.x;
  part[i] = data[i];
  __syncthreads();
  data[i] = part[n - 1 - i];
}

__global__ void rotate(int* data, int n) {
  int i = threadIdx.x;
  at_file_scope[i] = data[i];
  __syncthreads();
  data[i] = at_file_scope[(i + 1) % n];
}

__global__ void two_views(int* data, int n) {
  extern __shared__ __align__(8) unsigned char bytes[];
  int* ints = (int*)bytes;
  float* floats = reinterpret_cast<float*>(&ints[n]);
  int i = threadIdx.x;
  ints[i] = data[i];
  floats[n - 1 - i] = 0.5f * data[i];
  __syncthreads();
  data[i] = ints[(i + 1) % n] + (int)(2 * floats[i]);
}

template <typename T>
__global__ void pairs(T* data) {
  extern __shared__ T both[];
  both[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = both[threadIdx.x ^ 1];
}

static int host[512];

static void show(const char* name, int* data, int n) {
  cudaMemcpy(host, data, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%s %d: first %d, second %d, last %d\n", name, n, host[0], host[1], host[n - 1]);
}

int main() {
  int* data;
  cudaMalloc(&data, sizeof host);
  for (int n : {2, 33, 512}) {
    for (int i = 0; i < n; ++i) host[i] = i * i % 101;
    cudaMemcpy(data, host, n * sizeof(int), cudaMemcpyHostToDevice);
    reverse<<<1, n, n * sizeof(int)>>>(data, n);
    show("reverse", data, n);
    rotate<<<1, n, n * sizeof(int)>>>(data, n);
    show("rotate", data, n);
    two_views<<<1, n, n * (sizeof(int) + sizeof(float))>>>(data, n);
    show("two views", data, n);
  }
  pairs<int><<<1, 512, sizeof host>>>(data);
  show("pairs", data, 512);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(data);
}
