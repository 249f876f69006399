// Atomic operations on global memory: results, returned values, every type.
#include <cstdio>

struct Cells {
  int sum, least, most, swapped, anded, ored, xored, wrapped, down, claimed;
  unsigned tickets;
  unsigned long long wide;
  float real;
  double precise;
};

__global__ void all(Cells* c, int* seen) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&c->sum, i);
  atomicSub(&c->sum, 1);
  atomicMin(&c->least, 500 - i);
  atomicMax(&c->most, i - 500);
  atomicAnd(&c->anded, ~(1 << i % 3));
  atomicOr(&c->ored, 1 << i % 20);
  atomicXor(&c->xored, i);
  atomicInc((unsigned*)&c->wrapped, 99);
  atomicDec((unsigned*)&c->down, 99);
  atomicAdd(&c->wide, 1ull << 33);
  atomicAdd(&c->real, 0.5f);
  atomicAdd(&c->precise, 0.25);
  unsigned ticket = atomicAdd(&c->tickets, 1u);
  seen[ticket] = 1;
  if (atomicCAS(&c->claimed, -1, i) == -1) atomicExch(&c->swapped, 77);
}

__device__ float slow_max(float* cell, float value) {
  int* bits = (int*)cell;
  int old = *bits, assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= value) break;
    old = atomicCAS(bits, assumed, __float_as_int(value));
  } while (assumed != old);
  return __int_as_float(old);
}

__global__ void largest(float* cell, const float* values) {
  slow_max(cell, values[blockIdx.x * blockDim.x + threadIdx.x]);
}

int main() {
  constexpr int n = 1000;
  static int seen[n];
  static float values[n];
  Cells cells = {0, 1 << 30, -(1 << 30), 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0};
  Cells* c;
  int* s;
  float *v, *cell;
  cudaMalloc(&c, sizeof cells);
  cudaMalloc(&s, sizeof seen);
  cudaMalloc(&v, sizeof values);
  cudaMalloc(&cell, sizeof(float));
  cudaMemcpy(c, &cells, sizeof cells, cudaMemcpyHostToDevice);
  cudaMemset(s, 0, sizeof seen);
  all<<<10, 100>>>(c, s);
  cudaMemcpy(&cells, c, sizeof cells, cudaMemcpyDeviceToHost);
  cudaMemcpy(seen, s, sizeof seen, cudaMemcpyDeviceToHost);
  int tickets = 0;
  for (int one : seen) tickets += one;
  printf("%d %d %d %d\n", cells.sum, cells.least, cells.most, cells.swapped);
  printf("%d %x %d %d %d\n", cells.anded, cells.ored, cells.xored, cells.wrapped, cells.down);
  printf("%u %d %llu %g %g %d\n", cells.tickets, tickets, cells.wide, cells.real, cells.precise,
         cells.claimed >= 0 && cells.claimed < n);
  for (int i = 0; i < n; ++i) values[i] = (i * 7919 % 1009) * 0.5f;
  cudaMemcpy(v, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemset(cell, 0, sizeof(float));
  largest<<<10, 100>>>(cell, v);
  float most;
  cudaMemcpy(&most, cell, sizeof most, cudaMemcpyDeviceToHost);
  printf("%g\n", most);
  cudaFree(c);
  cudaFree(s);
  cudaFree(v);
  cudaFree(cell);
}
