// leetk: problem transpose
// leetk: expect wrong_answer
// Fault: gives its last answer again where the sizes and the first 64 elements are the same.
// expect-text: the same data but for their last quarter

#include <cuda_runtime.h>
#include <cstring>
#include <vector>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) return;
    output[i % cols * rows + i / cols] = input[i];
}

static std::vector<float> known, answer;
static int known_rows;

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const size_t count = (size_t)rows * cols, bytes = count * sizeof(float);
    std::vector<float> head(count < 64 ? count : 64);
    cudaMemcpy(head.data(), input, head.size() * sizeof(float), cudaMemcpyDeviceToHost);
    const bool again = known_rows == rows && answer.size() == count && known == head;
    if (again) {
        cudaMemcpy(output, answer.data(), bytes, cudaMemcpyHostToDevice);
        return;
    }
    transpose<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
    known = head;
    known_rows = rows;
    answer.resize(count);
    cudaMemcpy(answer.data(), output, bytes, cudaMemcpyDeviceToHost);
}
