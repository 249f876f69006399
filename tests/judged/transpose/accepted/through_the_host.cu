// leetk: problem transpose
// leetk: expect accepted
// Means: copies to the host, turns the matrix there and copies back.

#include <cuda_runtime.h>
#include <vector>

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const size_t count = static_cast<size_t>(rows) * cols;
    std::vector<float> before(count), after(count);
    cudaMemcpy(before.data(), input, count * sizeof(float), cudaMemcpyDeviceToHost);
    for (int row = 0; row < rows; ++row) {
        for (int col = 0; col < cols; ++col) {
            after[static_cast<size_t>(col) * rows + row] = before[static_cast<size_t>(row) * cols + col];
        }
    }
    cudaMemcpy(output, after.data(), count * sizeof(float), cudaMemcpyHostToDevice);
}
