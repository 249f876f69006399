// __ballot_sync in divergent branches, with masks of the lanes that are there; nested branches and
// a loop that lanes leave one after the other.
#include <cstdio>

__global__ void votes(unsigned* out) {
  unsigned lane = threadIdx.x;
  unsigned all = __ballot_sync(0xffffffff, 1);
  unsigned odd = __ballot_sync(0xffffffff, lane & 1);
  unsigned seen = 0;
  if (lane & 1) {
    seen = __ballot_sync(odd, lane > 9);
    unsigned high = __ballot_sync(odd, lane >= 16);
    if (lane >= 16) {
      seen ^= __ballot_sync(high, lane % 3 == 0);
    }
  } else {
    seen = __ballot_sync(~odd, lane % 4 == 0);
  }
  out[lane] = seen;
  unsigned mask = all;
  unsigned history = 0;
  for (unsigned turn = 0; turn <= lane; ++turn) {
    history = history * 5 + __ballot_sync(mask, turn % 2 == lane % 2);
    mask = __ballot_sync(mask, turn < lane);
  }
  out[32 + lane] = history;
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 64 * sizeof(unsigned));
  votes<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int row = 0; row < 2; ++row) {
    for (int lane = 0; lane < 32; ++lane) printf("%08x ", out[32 * row + lane]);
    printf("\n");
  }
  cudaFree(out);
}
