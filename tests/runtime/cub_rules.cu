// What the CPU runtime's CUB adds to results: values that CUB leaves undefined are poison, misuse of
// a TempStorage shows, blocks that run at a time don't mix. Prints one line a rule.
#include <cub/cub.cuh>

#include <cstdio>
#include <cstring>

extern "C" void leetk_begin(const char* order, unsigned long long seed, int poison);

constexpr int n = 128;
int* out;
size_t bytes;

bool poisoned(int value) {
    return unsigned(value) == leetk::poison_word();
}

// How many of n values in `out` are poison.
int count_poison() {
    int values[n], count = 0;
    cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
    for (int value : values) count += poisoned(value);
    return count;
}
int first() {
    int value;
    cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

using Reduce = cub::BlockReduce<int, n>;
using Scan = cub::BlockScan<int, n>;

__global__ void reduce_all(int* to) {
    __shared__ Reduce::TempStorage storage;
    to[threadIdx.x] = Reduce(storage).Sum(int(threadIdx.x));
}
__global__ void reduce_twice(int* to, bool barrier) {
    __shared__ Reduce::TempStorage storage;
    int a = Reduce(storage).Sum(1);
    if (barrier) __syncthreads();
    int b = Reduce(storage).Sum(int(threadIdx.x));
    if (threadIdx.x == 0) *to = a + 1000 * b;
}
__global__ void reduce_some(int* to, int live) {
    __shared__ Reduce::TempStorage storage;
    if (int(threadIdx.x) >= live) return;
    int sum = Reduce(storage).Sum(1);
    if (threadIdx.x == 0) *to = sum;
}
__global__ void one_warp_twice(int* to) {
    using Small = cub::BlockReduce<int, 32>;
    __shared__ Small::TempStorage storage;
    int a = Small(storage).Sum(1), b = Small(storage).Sum(2);
    if (threadIdx.x == 0) *to = a + b;
}
__global__ void scan_first(int* to) {
    __shared__ Scan::TempStorage storage;
    int result, items[2] = {1, 2}, results[2];
    Scan(storage).ExclusiveScan(1, result, cub::Max());
    __syncthreads();
    Scan(storage).ExclusiveScan(items, results, cub::Sum());
    to[threadIdx.x] = threadIdx.x % 2 ? result : results[0];
}
__global__ void scan_twice(int* to) {
    __shared__ Scan::TempStorage storage;
    int a, b;
    Scan(storage).ExclusiveSum(1, a);
    Scan(storage).InclusiveSum(2, b);
    to[threadIdx.x] = a + 1000 * b;
}
__global__ void warps(int* to) {
    using Warp = cub::WarpReduce<int>;
    __shared__ Warp::TempStorage storage;  // one for all, as one may with shuffles
    int a = Warp(storage).Sum(1), b = Warp(storage).Sum(2);
    to[threadIdx.x] = threadIdx.x % 32 ? a : a + b;
}
__global__ void own_storage(int* to) {
    int sum = Reduce().Sum(1);
    if (threadIdx.x == 0) *to = sum;
}

// Block 0 can't end its reduction before block 1 has made one of its own.
__global__ void together(int* to, volatile int* flag) {
    __shared__ Reduce::TempStorage storage;
    if (blockIdx.x == 0 && threadIdx.x == 5) {
        while (*flag == 0) __nanosleep(100);
    }
    int sum = Reduce(storage).Sum(int(threadIdx.x + 1000 * blockIdx.x));
    if (threadIdx.x == 0) {
        to[blockIdx.x] = sum;
        *flag = 1;
    }
}

void block_rules(const char* order) {
    leetk_begin(order, 7, 0);
    LEETK_LAUNCH("reduce_all", (reduce_all), (1, n), (out));
    printf("%s reduce %d %d\n", order, count_poison(), first());
    LEETK_LAUNCH("reduce_twice", (reduce_twice), (1, n), (out, true));
    printf("%s with a barrier %d\n", order, first());
    LEETK_LAUNCH("reduce_some", (reduce_some), (1, n / 2), (out, n));
    printf("%s half a block %d\n", order, first() != 64);
    LEETK_LAUNCH("one_warp_twice", (one_warp_twice), (1, 32), (out));
    printf("%s one warp %d\n", order, first());
    LEETK_LAUNCH("scan_first", (scan_first), (1, n), (out));
    printf("%s scan %d\n", order, count_poison());
    LEETK_LAUNCH("scan_twice", (scan_twice), (1, n), (out));
    int values[n], wrong = 0;
    cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) wrong += values[i] != i + 2000 * (i + 1);
    printf("%s scan twice %d wrong\n", order, wrong);
    LEETK_LAUNCH("warps", (warps), (1, n), (out));
    printf("%s warps %d %d\n", order, count_poison(), first());
    LEETK_LAUNCH("own_storage", (own_storage), (1, n), (out));
    printf("%s own storage %d\n", order, first());
}

int main() {
    cudaMalloc(&out, n * sizeof(int));
    for (const char* order : {"forward", "backward", "shuffled"}) block_rules(order);
    leetk_begin("backward", 0, 0);
    LEETK_LAUNCH("reduce_twice", (reduce_twice), (1, n), (out, false));
    printf("without a barrier %d\n", first() != 128 + 1000 * 8128);
    LEETK_LAUNCH("reduce_some", (reduce_some), (1, n), (out, n - 1));
    printf("a thread less %d\n", first() != 127 && first() != 128);

    leetk_begin("forward", 0, 0);
    int* flag;
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    LEETK_LAUNCH("together", (together), (2, n), (out, flag));
    int sums[2];
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    printf("together %d %d\n", sums[0], sums[1]);

    const int many = 1 << 21;
    float *values, *result, got;
    cudaMalloc(&values, many * sizeof(float));
    cudaMalloc(&result, sizeof(float));
    float* host = new float[many];
    for (int i = 0; i < many; ++i) host[i] = 0.1f;
    cudaMemcpy(values, host, many * sizeof(float), cudaMemcpyHostToDevice);
    void* storage;
    cub::DeviceReduce::Sum(nullptr, bytes, values, result, many);
    cudaMalloc(&storage, bytes);
    cub::DeviceReduce::Sum(storage, bytes, values, result, many);
    cudaMemcpy(&got, result, sizeof got, cudaMemcpyDeviceToHost);
    printf("sum %d\n", got > 209715.0f && got < 209715.5f);
    cudaFree(storage);
    cub::DeviceScan::InclusiveSum(nullptr, bytes, values, values, many);
    cudaMalloc(&storage, bytes);
    cub::DeviceScan::InclusiveSum(storage, bytes, values, values, many);
    cudaMemcpy(&got, values + many - 1, sizeof got, cudaMemcpyDeviceToHost);
    printf("scan %d\n", got > 209714.0f && got < 209717.0f);
    size_t less = bytes - 1;
    printf("too little %s", cudaGetErrorName(cub::DeviceScan::InclusiveSum(storage, less, values, values, many)));
    printf(" %s\n", cudaGetErrorName(cudaGetLastError()));

    signed char small[300];
    memset(small, 100, sizeof small);
    signed char* d_small;
    cudaMalloc(&d_small, sizeof small);
    cudaMemcpy(d_small, small, sizeof small, cudaMemcpyHostToDevice);
    cub::DeviceReduce::Sum(nullptr, bytes, d_small, out, 300);
    cudaFree(storage);
    cudaMalloc(&storage, bytes);
    cub::DeviceReduce::Sum(storage, bytes, d_small, out, 300);
    printf("small numbers %d\n", first());
    cub::CountingInputIterator<int> counting(5);
    cub::TransformInputIterator<int, cub::CastOp<int>, const signed char*> cast(d_small, {});
    cub::DeviceReduce::Sum(storage, bytes, counting, out, 4);
    cub::DeviceReduce::Max(storage, bytes, cast, out + 1, 9);
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    printf("iterators %d %d\n", sums[0], sums[1]);
    delete[] host;
}
