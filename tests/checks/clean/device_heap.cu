// Blocks of the device's heap that several threads use, one after the other and again after others
// have; single bytes, and objects from new.
#include <cuda_runtime.h>

struct Node {
    float value;
    Node* next;
};

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ char* bytes;
    __shared__ float* values;
    int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x == 0) {
        bytes = (char*)malloc(64);
        values = (float*)malloc(64 * sizeof(float));
    }
    __syncthreads();
    bytes[threadIdx.x] = (char)threadIdx.x;
    values[threadIdx.x] = i < rows * cols ? input[i] : 0.0f;
    __syncthreads();
    Node* list = nullptr;
    for (int k = 0; k < 3; ++k) list = new Node{values[(threadIdx.x + k) % 64], list};
    int place = bytes[63 - threadIdx.x];
    while (list->next) {
        Node* next = list->next;
        delete list;
        list = next;
    }
    if (i < rows * cols && place == 63 - (int)threadIdx.x) {
        output[i % cols * rows + i / cols] = list->value;
    }
    delete list;
    __syncthreads();
    if (threadIdx.x == 0) {
        free(bytes);
        free(values);
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
