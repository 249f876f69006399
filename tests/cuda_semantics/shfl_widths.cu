// All four shuffles in segments of 1, 2, 4, 8, 16 and 32 lanes. What a lane reads beyond its
// segment is its own value.
#include <cstdio>

template <int Width>
__global__ void all(int* out, int by) {
  int lane = threadIdx.x;
  out[lane] = __shfl_sync(0xffffffff, lane, by, Width);
  out[32 + lane] = __shfl_up_sync(0xffffffff, lane, by, Width);
  out[64 + lane] = __shfl_down_sync(0xffffffff, lane, by, Width);
  out[96 + lane] = __shfl_xor_sync(0xffffffff, lane, by, Width);
}

static void show(const char* name, int width, int by, const int* out) {
  printf("%s %d by %d:", name, width, by);
  for (int lane = 0; lane < 32; ++lane) printf(" %d", out[lane]);
  printf("\n");
}

template <int Width>
static void run(int* out) {
  for (int by : {1, 3, 6}) {
    all<Width><<<1, 32>>>(out, by);
    cudaDeviceSynchronize();
    show("index", Width, by, out);
    show("up", Width, by, out + 32);
    show("down", Width, by, out + 64);
    show("xor", Width, by, out + 96);
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 128 * sizeof(int));
  run<1>(out);
  run<2>(out);
  run<4>(out);
  run<8>(out);
  run<16>(out);
  run<32>(out);
  cudaFree(out);
}
