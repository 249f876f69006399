// Shuffles of every type that has them, and of those that are converted first.
#include <cstdio>

template <typename T>
__device__ bool check(T value, T expected) {
  int from = (threadIdx.x + 5) % 32;
  T got = __shfl_sync(0xffffffff, value, from);
  T up = __shfl_up_sync(0xffffffff, value, 0);
  T down = __shfl_down_sync(0xffffffff, value, 32);
  T exchanged = __shfl_xor_sync(0xffffffff, __shfl_xor_sync(0xffffffff, value, 9), 9);
  return got == expected && up == value && down == value && exchanged == value;
}

__global__ void types(int* out) {
  int lane = threadIdx.x;
  int from = (lane + 5) % 32;
  long long wide = 0x123456789abcdefll;
  bool right[10];
  right[0] = check<int>(-lane, -from);
  right[1] = check<unsigned>(4000000000u + lane, 4000000000u + from);
  right[2] = check<long>(-(1l << 40) - lane, -(1l << 40) - from);
  right[3] = check<unsigned long>((3ul << 62) + lane, (3ul << 62) + from);
  right[4] = check<long long>(wide * lane, wide * from);
  right[5] = check<unsigned long long>(~0ull - lane, ~0ull - from);
  right[6] = check<float>(0.1f * lane, 0.1f * from);
  right[7] = check<double>(0.1 * lane, 0.1 * from);
  right[8] = check<char>(char(60 + lane), char(60 + from));
  right[9] = check<bool>(lane % 2 == 0, from % 2 == 0);
  for (int i = 0; i < 10; ++i) {
    unsigned votes = __ballot_sync(0xffffffff, right[i]);
    if (lane == 0) out[i] = votes == 0xffffffff;
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 10 * sizeof(int));
  types<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 10; ++i) printf("%d ", out[i]);
  printf("\n");
  cudaFree(out);
}
