// Parameters of kernels: by value, a fresh copy for each thread, converted at the launch, and each
// argument evaluated once.
#include <cstdio>

struct Job {
  int values[4];
  float scale;
};

__global__ void by_value(int* out, Job job) {
  int i = threadIdx.x;
  job.values[i % 4] += 10 * i;
  job.scale *= 2;
  __syncthreads();
  out[i] = job.values[0] + job.values[1] + job.values[2] + job.values[3] + (int)job.scale;
}

__global__ void count_down(int* out, int n) {
  int steps = 0;
  while (n-- > 0) ++steps;
  out[threadIdx.x] = steps;
}

__global__ void literals(int* out, const float* none, float real, int zero, bool yes, char letter,
                         unsigned long long wide, short narrow) {
  out[threadIdx.x] = (none == nullptr) + (real == 2.0f) * 10 + (zero == 0) * 100 + yes * 1000 +
                     (letter == 'x') * 10000 + (wide == 1ull << 40) * 100000 +
                     (narrow == -5) * 1000000;
}

__global__ void function_argument(int* out, Job job, int which) {
  out[threadIdx.x] = job.values[which];
}

static int calls, passes;
static int next() { return 4 + ++calls; }
static int* passed(int* pointer) {
  ++passes;
  return pointer;
}

static void show(const char* name, const int* out) {
  int host[8];
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%s: %d %d %d\n", name, host[0], host[1], host[7]);
}

int main() {
  int* out;
  cudaMalloc(&out, 8 * sizeof(int));
  Job job = {{1, 2, 3, 4}, 0.5f};
  by_value<<<1, 8>>>(out, job);
  show("struct", out);
  count_down<<<1, 8>>>(out, 6);
  show("parameter as a variable", out);
  literals<<<1, 8>>>(out, NULL, 2, 0, true, 'x', 1ull << 40, -5);
  show("NULL", out);
  literals<<<1, 8>>>(out, nullptr, 2.0, 0.9, 1, 120, 1ll << 40, -5);
  show("nullptr", out);
  literals<<<1, 8>>>(out, 0, 2u, false, out != nullptr, 'x', 1ull << 40, -5);
  show("0", out);
  count_down<<<1, 8>>>(passed(out), next());
  printf("%d calls, %d passes\n", calls, passes);
  show("evaluated once", out);
  int i = 3;
  count_down<<<i++, 8>>>(out, i++);
  printf("i is %d\n", i);
  function_argument<<<1, 8>>>(out, {{5, 6, 7, 8}, 1}, 2);
  show("braces", out);
  cudaFree(out);
}
