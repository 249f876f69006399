// Uses of CUB that end a program. The argument says which.
#include <cub/cub.cuh>

#include <cstdlib>

__global__ void apart(float* to) {
    using Reduce = cub::BlockReduce<float, 64>;
    __shared__ Reduce::TempStorage storage;
    float sum = 0;
    if (threadIdx.x < 32) {
        sum = Reduce(storage).Sum(1);
    } else {
        sum = Reduce(storage).Sum(2);
    }
    if (threadIdx.x == 0) *to = sum;
}

int main(int, char** arguments) {
    float *data, on_host = 0;
    void* storage;
    size_t bytes;
    cudaMalloc(&data, 1024);
    cub::DeviceReduce::Sum(nullptr, bytes, data, data, 16);
    cudaMalloc(&storage, bytes);
    switch (atoi(arguments[1])) {
        case 0: cub::DeviceReduce::Sum(storage, bytes, data, &on_host, 16); break;
        case 1: LEETK_LAUNCH("apart", (apart), (1, 64), (data)); break;
    }
}
