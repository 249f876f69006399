// cub::BlockLoad and BlockStore: all algorithms, whole and partial tiles, with a default.
#include <cstdio>
#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>

template <cub::BlockLoadAlgorithm loading, cub::BlockStoreAlgorithm storing>
__global__ void shift(const int* in, int* out, int n) {
  using Load = cub::BlockLoad<int, 64, 4, loading>;
  using Store = cub::BlockStore<int, 64, 4, storing>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
  } storage;
  int items[4], begin = blockIdx.x * 256;
  if (begin + 256 <= n) {
    Load(storage.load).Load(in + begin, items);
  } else {
    Load(storage.load).Load(in + begin, items, n - begin, -5);
  }
  for (int i = 0; i < 4; ++i) items[i] = 2 * items[i] + i * (loading != cub::BLOCK_LOAD_STRIPED);
  __syncthreads();
  if (begin + 256 <= n) {
    Store(storage.store).Store(out + begin, items);
  } else {
    Store(storage.store).Store(out + begin, items, n - begin);
  }
}

template <cub::BlockLoadAlgorithm loading, cub::BlockStoreAlgorithm storing>
void run(const int* in, int* out, int n) {
  static int values[600];
  cudaMemset(out, 0xff, 600 * sizeof(int));
  shift<loading, storing><<<3, 64>>>(in, out, n);
  cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int i = 0; i < 600; ++i) sum = sum * 31 + unsigned(values[i]);
  printf("%d %d %d %d %u\n", values[1], values[258], values[n - 1], values[n], sum);
}

int main() {
  static int in[600];
  for (int i = 0; i < 600; ++i) in[i] = i * 7 + 3;
  int *d_in, *d_out;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof in);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  run<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>(d_in, d_out, 599);
  run<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>(d_in, d_out, 599);
  run<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>(d_in, d_out, 599);
  run<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>(d_in, d_out, 599);
  run<cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED>(d_in, d_out, 517);
}
