// __managed__ variables and cudaMallocManaged: host and device see the same.
#include <cstdio>

__managed__ int counter = 5;
__device__ __managed__ float table[4] = {1, 2, 3, 4};

struct List {
  int value;
  List* next;
};

__global__ void change(List* list, int* through_pointer) {
  atomicAdd(&counter, threadIdx.x);
  if (threadIdx.x < 4) table[threadIdx.x] *= 10;
  if (threadIdx.x == 0) {
    *through_pointer += 100;
    for (; list; list = list->next) list->value *= 2;
  }
}

int main() {
  List* list = nullptr;
  for (int i = 0; i < 3; ++i) {
    List* node;
    cudaMallocManaged(&node, sizeof(List));
    *node = {i + 1, list};
    list = node;
  }
  counter += 1;
  change<<<1, 8>>>(list, &counter);
  cudaDeviceSynchronize();
  printf("%d %g %g\n", counter, table[0], table[3]);
  for (List* node = list; node; node = node->next) printf("%d ", node->value);
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, table);
  printf("%d\n", attributes.type);
  while (list) {
    List* next = list->next;
    cudaFree(list);
    list = next;
  }
}
