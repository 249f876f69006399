// Shared variables of every kind: arrays of several dimensions, structs, unions, in device
// functions and in templates.
#include <cstdio>

struct Matrix {
  int rows[4][5];
  float scale;
};

union Word {
  float real;
  unsigned bits;
};

__device__ int* scratch() {
  __shared__ int place[32];
  return place;
}

template <typename T, int N>
__device__ T neighbour(T value) {
  __shared__ T kept[N];
  kept[threadIdx.x % N] = value;
  __syncthreads();
  T result = kept[(threadIdx.x + 1) % N];
  __syncthreads();
  return result;
}

__global__ void kinds(float* out) {
  __shared__ Matrix matrix;
  __shared__ Word words[32];
  __shared__ int cube[2][4][4], *pointer;
  __shared__ volatile int single;
  int i = threadIdx.x;
  if (i < 20) matrix.rows[i / 5][i % 5] = i;
  if (i == 31) matrix.scale = 0.5f, single = 77, pointer = &cube[1][2][3];
  cube[i / 16][i / 4 % 4][i % 4] = 100 + i;
  words[i].real = i;
  scratch()[31 - i] = i;
  __syncthreads();
  out[i * 5] = matrix.rows[i % 4][i % 5] * matrix.scale + single;
  out[i * 5 + 1] = words[(i + 3) % 32].bits >> 23;
  out[i * 5 + 2] = *pointer + cube[0][i % 4][3];
  out[i * 5 + 3] = scratch()[i];
  out[i * 5 + 4] = neighbour<double, 32>(i * 1.5) + neighbour<int, 32>(i * 1000);
}

int main() {
  float* out;
  cudaMallocManaged(&out, 160 * sizeof(float));
  kinds<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int i : {0, 9, 31}) {
    for (int k = 0; k < 5; ++k) printf("%g ", out[i * 5 + k]);
    printf("\n");
  }
  cudaFree(out);
}
