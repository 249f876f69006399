// __all_sync, __any_sync and __ballot_sync: any nonzero predicate counts as true, and only the
// lanes that the mask names are asked.
#include <cstdio>

__global__ void votes(unsigned* out, int limit) {
  int lane = threadIdx.x;
  unsigned result = __ballot_sync(0xffffffff, lane < limit ? -7 : 0);
  result = result * 8 + (__all_sync(0xffffffff, lane < limit) != 0) +
           2 * (__any_sync(0xffffffff, lane >= limit) != 0);
  if (lane < 10) {
    result += 1000 * (__all_sync(0x3ff, lane < limit) != 0);
    result += 10000 * (__any_sync(0x3ff, lane == limit) != 0);
  }
  out[lane] = result;
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 32 * sizeof(unsigned));
  for (int limit : {0, 1, 9, 10, 31, 32}) {
    votes<<<1, 32>>>(out, limit);
    cudaDeviceSynchronize();
    printf("%d: %u %u %u\n", limit, out[0], out[9], out[31]);
  }
  cudaFree(out);
}
