// Functions by pointer: tables of __device__ functions, virtual functions, functors and lambdas
// within kernels.
#include <cstdio>

typedef int (*Operation)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
template <int N>
__device__ int blend(int a, int b) {
  return a * N + b;
}
__device__ Operation table[3] = {add, subtract, blend<7>};

struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};
struct Box : Shape {
  int a, b;
  __device__ Box(int x, int y) : a(x), b(y) {}
  __device__ int area() const override { return a * b; }
};

__global__ void calls(int* out) {
  int i = threadIdx.x;
  Operation operation = table[i % 3];
  Square square(i);
  Box box(i, 3);
  const Shape* shape = i % 2 ? (const Shape*)&square : &box;
  auto twice = [&](int x) { return 2 * x + i; };
  auto fold = [](auto f, int n) {
    int sum = 0;
    for (int k = 0; k < n; ++k) sum += f(k);
    return sum;
  };
  out[i * 3] = operation(i, 10);
  out[i * 3 + 1] = shape->area();
  out[i * 3 + 2] = fold(twice, 4);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 24 * sizeof(int));
  calls<<<1, 8>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 24; ++i) printf("%d ", out[i]);
  printf("\n");
  cudaFree(out);
}
