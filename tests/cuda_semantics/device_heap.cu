// malloc, free, memcpy and memset in a kernel; new and delete.
#include <cstdio>

struct Node {
  int value;
  Node* next;
};

__global__ void heap(int* out) {
  int i = threadIdx.x;
  int n = i % 7 + 1;
  int* values = (int*)malloc(n * sizeof(int));
  memset(values, 0, n * sizeof(int));
  int sum = 0;
  for (int k = 0; k < n; ++k) values[k] += k * i;
  int copy[7];
  memcpy(copy, values, n * sizeof(int));
  for (int k = 0; k < n; ++k) sum += copy[k];
  free(values);
  Node* list = nullptr;
  for (int k = 0; k < 4; ++k) list = new Node{k + i, list};
  while (list) {
    Node* next = list->next;
    sum = sum * 3 + list->value;
    delete list;
    list = next;
  }
  out[i] = sum;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  heap<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  for (int i : {0, 1, 6, 20, 63}) printf("%d ", out[i]);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(out);
}
