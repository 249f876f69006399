// leetk: problem matmul
// leetk: expect compile_error
// Fault: one line that becomes ten thousand errors.
// Fault-numbers: 3

#include <cuda_runtime.h>

#define TEN(x) x x x x x x x x x x
#define MANY(x) TEN(TEN(TEN(TEN(x))))

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    MANY(1 = 2;)
}
