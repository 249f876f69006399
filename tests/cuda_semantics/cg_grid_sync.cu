// grid.sync(): all blocks wait for each other between the steps of a stencil.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void diffuse(int* a, int* b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int step = 0; step < steps; ++step) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      b[i] = a[(i + n - 1) % n] + 2 * a[i] + a[(i + 1) % n];
    }
    grid.sync();
    int* swap = a;
    a = b;
    b = swap;
  }
}

int main() {
  int *a, *b, n = 1000, steps = 8;
  cudaMallocManaged(&a, n * sizeof(int));
  cudaMallocManaged(&b, n * sizeof(int));
  for (int blocks : {1, 3, 16}) {
    for (int i = 0; i < n; ++i) a[i] = i % 10 == 0, b[i] = -1;
    void* arguments[] = {&a, &b, &n, &steps};
    cudaError_t error =
        cudaLaunchCooperativeKernel((void*)diffuse, dim3(blocks), dim3(64), arguments, 0, 0);
    cudaDeviceSynchronize();
    unsigned hash = 0;
    for (int i = 0; i < n; ++i) hash = hash * 31 + a[i];
    printf("%d blocks: error %d, %d %d %d, %u\n", blocks, error, a[0], a[5], a[999], hash);
  }
  cudaFree(a);
  cudaFree(b);
}
