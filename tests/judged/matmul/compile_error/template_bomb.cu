// leetk: problem matmul
// leetk: expect compile_error
// Fault: templates that ask for more of their kind without end keep the compiler busy.
// Fault-numbers: 1, 8
// judged-with: compile_seconds=3
// expect-text: 3 s

#include <cuda_runtime.h>

template <int DEPTH, long long PATH>
struct Tree {
    static constexpr long long value =
        Tree<DEPTH - 1, 2 * PATH>::value + Tree<DEPTH - 1, 2 * PATH + 1>::value;
};
template <long long PATH>
struct Tree<0, PATH> {
    static constexpr long long value = PATH;
};

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    cudaMemset(C, static_cast<int>(Tree<40, 1>::value), sizeof(float) * M * K);
}
