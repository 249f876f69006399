// leetk: problem matmul
// leetk: expect accepted
// Means: the host does work of its own with the standard library before it launches.

#include <algorithm>
#include <cuda_runtime.h>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

using namespace std;

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
    vector<int> primes;
    vector<char> composite(200000);
    for (int i = 2; i < 200000; ++i) {
        if (composite[i]) continue;
        primes.push_back(i);
        for (long long j = 1LL * i * i; j < 200000; j += i) composite[j] = 1;
    }
    map<string, long long> totals;
    totals["primes"] = accumulate(primes.begin(), primes.end(), 0LL);
    auto sorted = make_unique<vector<int>>(primes.rbegin(), primes.rend());
    sort(sorted->begin(), sorted->end(), [](int a, int b) { return a < b; });
    if (*sorted != primes || totals.at("primes") <= 0) return;
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
}
