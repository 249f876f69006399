// leetk: problem matmul
// leetk: expect accepted
// Fault-numbers: 5
// Means: strings, comments, raw strings and shifts that look like launches or like solve.

#include <cuda_runtime.h>

// kernel<<<grid, block>>>(not, a, launch); extern "C" void solve(int);
/* neither is this: k<<<1, 1>>>(); void solve() { */
static const char* text = "k<<<1, 1>>>(a); // \" void solve(";
static const char* raw = R"(solve<<<2, 2>>>( " /* )";
static const char quote = '"';

template <int A, int B>
struct Pair {
    static constexpr int value = (A << 4 >> 2) + (B << 1 >> 1);
};
template <typename T>
struct Box {
    using type = T;
};

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    float sum = 0.0f;
    for (int n = 0; n < N; ++n) {
        sum = fmaf(A[row * N + n], B[n * K + col], sum);
    }
    C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    Box<Box<Pair<4, 4>>>::type unused;
    (void)unused;
    if (text[0] == raw[0] || quote != '"') return;
    const int side = Pair<3, 4>::value;  // 12 + 4
    const dim3 block(side, 1 << 4);
    const dim3 grid((K + side - 1) / side, (M + 15) >> 4);
    matmul <<< grid,
               block >>> (A, B, C,
                          M, N, K);
}
