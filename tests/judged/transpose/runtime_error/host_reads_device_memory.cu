// leetk: problem transpose
// leetk: expect runtime_error
// Fault: host code does the work, on the device's addresses.

#include <cuda_runtime.h>

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    for (int row = 0; row < rows; ++row) {
        for (int col = 0; col < cols; ++col) output[col * rows + row] = input[row * cols + col];
    }
}
