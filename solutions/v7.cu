// leetk: problem matmul
//
// Idea:   give each warp a tile of its own, and load registers for the next FMAs during these ones.
// Change: v6's threads become warps of 64x64 outputs, 8x16 a thread; copies' addresses are kept.
// Cost:   244 registers a thread, so eight warps a multiprocessor; too few blocks for small C.
// Expect: about 1.02 of cuBLAS's SGEMM on an H200 at M=8192, N=6144, K=4096.
// Source: warp tiles and fragments loaded ahead, as in the description of CUTLASS's hierarchy.

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdint>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error "v7 needs 75 KiB of shared memory a block, so sm_80 or newer; v6 runs on any GPU"
#endif

constexpr int BM = 128;  // rows of C a block
constexpr int BN = 256;  // columns of C a block
constexpr int BK = 16;  // the part of N in a stage
constexpr int STAGES = 3;
constexpr int TM = 8, TN = 16;  // outputs a thread, in pieces of 4x4
constexpr int LM = 8, LN = 4;  // threads a warp along each side
constexpr int WM = LM * TM, WN = LN * TN;  // outputs a warp
constexpr int THREADS = 32 * (BM / WM) * (BN / WN);
constexpr int GROUP = 8;  // rows of tiles that are walked together, so that L2 serves them

constexpr int A_PITCH = BM + 4;  // spreads the stores of the turned tile over the banks
constexpr int B_PITCH = BN;
constexpr int STAGE = BK * (A_PITCH + B_PITCH);
constexpr int SHARED_BYTES = STAGES * STAGE * 4;

// A warp copies 4 rows of A by 8 of its columns at a time: 32 bytes of each row, to 32 banks.
constexpr int A_ACROSS = 8, A_DOWN = THREADS / A_ACROSS, A_ROWS = BM / A_DOWN;

// VECTORS: whether B and C can be moved in float4. FEW: there are fewer tiles than stages, so behind
// the last tile lies a stage that nobody has filled.
template <bool VECTORS, bool FEW>
__global__ void __launch_bounds__(THREADS, 1)
matmul_warp_tiles(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                  int M, int N, int K) {
    extern __shared__ float4 shared4[];
    float* shared = reinterpret_cast<float*>(shared4);

    // Blocks that run at the same time have tiles in a square of C, and share what they read.
    const int rows = (M + BM - 1) / BM, cols = (K + BN - 1) / BN;
    const int index = blockIdx.x;
    const int first = index / (GROUP * cols) * GROUP, height = min(GROUP, rows - first);
    const int rest = index % (GROUP * cols);
    const int row0 = (first + rest % height) * BM, col0 = rest / height * BN;

    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int wm = warp / (BN / WN) * WM, wn = warp % (BN / WN) * WN;
    const int lm = lane / LN * 4, ln = lane % LN * 4;

    // What this thread copies, in bytes behind the tile's start. Rows and columns outside C are
    // copied as the nearest inside: nobody stores what they give.
    const int ak = threadIdx.x % A_ACROSS, am = threadIdx.x / A_ACROSS;
    constexpr int WIDTH = VECTORS ? 4 : 1, B_ACROSS = BN / WIDTH;
    constexpr int B_DOWN = THREADS / B_ACROSS, B_ROWS = BK / B_DOWN;
    const int bn = threadIdx.x % B_ACROSS * WIDTH, bk = threadIdx.x / B_ACROSS;
    unsigned a_offset[A_ROWS];
#pragma unroll
    for (int i = 0; i < A_ROWS; ++i) {
        const int row = min(am + i * A_DOWN, M - 1 - row0);
        a_offset[i] = (static_cast<unsigned>(row) * N + ak) * 4;
    }
    const int column = min(bn, K - WIDTH - col0);
    const unsigned b_offset = (static_cast<unsigned>(bk) * K + column) * 4;
    const char* a_from = reinterpret_cast<const char*>(A + static_cast<size_t>(row0) * N);
    const char* b_from = reinterpret_cast<const char*>(B + col0);
    const unsigned b_step = static_cast<unsigned>(B_DOWN) * K * 4;
    float* const a_to = shared + ak * A_PITCH + am;
    float* const b_to = shared + BK * A_PITCH + bk * B_PITCH + bn;

    auto bring = [&](int stage, int n0) {
        const char* a = a_from + static_cast<size_t>(n0) * 4;
        const char* b = b_from + static_cast<size_t>(n0) * K * 4;
        float* as = a_to + stage * STAGE;
        float* bs = b_to + stage * STAGE;
        if (n0 + BK <= N) {
#pragma unroll
            for (int i = 0; i < A_ROWS; ++i) {
#pragma unroll
                for (int k = 0; k < BK; k += A_ACROSS) {
                    const char* from = a + a_offset[i] + k * 4;
                    __pipeline_memcpy_async(as + k * A_PITCH + i * A_DOWN, from, 4);
                }
            }
#pragma unroll
            for (int i = 0; i < B_ROWS; ++i) {
                const char* from = b + (b_offset + i * b_step);
                __pipeline_memcpy_async(bs + i * B_DOWN * B_PITCH, from, 4 * WIDTH);
            }
        } else {  // the last stage, where BK doesn't divide N: zeros for what N lacks
#pragma unroll
            for (int i = 0; i < A_ROWS; ++i) {
#pragma unroll
                for (int k = 0; k < BK; k += A_ACROSS) {
                    const bool in = n0 + ak + k < N;
                    const char* from = in ? a + a_offset[i] + k * 4 : a_from;
                    __pipeline_memcpy_async(as + k * A_PITCH + i * A_DOWN, from, 4, in ? 0 : 4);
                }
            }
#pragma unroll
            for (int i = 0; i < B_ROWS; ++i) {
                const bool in = n0 + bk + i * B_DOWN < N;
                const char* any = reinterpret_cast<const char*>(B);
                const char* from = in ? b + (b_offset + i * b_step) : any;
                const int zeros = in ? 0 : 4 * WIDTH;
                __pipeline_memcpy_async(bs + i * B_DOWN * B_PITCH, from, 4 * WIDTH, zeros);
            }
        }
    };

    float sums[TM][TN] = {};
    float a[2][TM], b[2][TN];
    const float* const a_at = shared + wm + lm;
    const float* const b_at = shared + BK * A_PITCH + wn + ln;
    auto fetch = [&](int slot, int stage, int k) {
        const float* as = a_at + stage * STAGE + k * A_PITCH;
        const float* bs = b_at + stage * STAGE + k * B_PITCH;
#pragma unroll
        for (int i = 0; i < TM; i += 4) {
            *reinterpret_cast<float4*>(&a[slot][i]) = *reinterpret_cast<const float4*>(as + i * LM);
        }
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            *reinterpret_cast<float4*>(&b[slot][j]) = *reinterpret_cast<const float4*>(bs + j * LN);
        }
    };

    const int tiles = (N + BK - 1) / BK;
#pragma unroll
    for (int s = 0; s < STAGES - 1; ++s) {
        if (s < tiles) bring(s, s * BK);
        __pipeline_commit();
    }
    int stage = 0, next = STAGES - 1;
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    fetch(0, 0, 0);
    for (int t = 0; t < tiles; ++t) {
        if (t + STAGES - 1 < tiles) bring(next, (t + STAGES - 1) * BK);
        __pipeline_commit();
        int after = stage + 1 == STAGES ? 0 : stage + 1;
        if (FEW && t + 1 == tiles) after = stage;
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            if (k + 1 < BK) {
                fetch((k + 1) % 2, stage, k + 1);
            } else {
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();  // tile t + 1 has come, and everyone has fetched all of tile t
                fetch((k + 1) % 2, after, 0);
            }
#pragma unroll
            for (int i = 0; i < TM; ++i) {
#pragma unroll
                for (int j = 0; j < TN; ++j) {
                    sums[i][j] = fmaf(a[k % 2][i], b[k % 2][j], sums[i][j]);
                }
            }
        }
        stage = after;
        next = next + 1 == STAGES ? 0 : next + 1;
    }

#pragma unroll
    for (int i = 0; i < TM; ++i) {
        const int row = row0 + wm + lm + i / 4 * LM * 4 + i % 4;
        if (row >= M) continue;
        float* to = C + static_cast<size_t>(row) * K;
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            const int col = col0 + wn + ln + j * LN;
            if constexpr (VECTORS) {
                const float* x = &sums[i][j];
                const float4 x4 = make_float4(x[0], x[1], x[2], x[3]);
                if (col < K) *reinterpret_cast<float4*>(to + col) = x4;
            } else {
#pragma unroll
                for (int h = 0; h < 4; ++h) {
                    if (col + h < K) to[col + h] = sums[i][j + h];
                }
            }
        }
    }
}

template <bool VECTORS, bool FEW>
void launch(const float* A, const float* B, float* C, int M, int N, int K) {
    const int blocks = ((M + BM - 1) / BM) * ((K + BN - 1) / BN);
    cudaFuncSetAttribute(matmul_warp_tiles<VECTORS, FEW>,
                         cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES);
    matmul_warp_tiles<VECTORS, FEW><<<blocks, THREADS, SHARED_BYTES>>>(A, B, C, M, N, K);
}

// A is M x N, B is N x K, C is M x K, all row-major in device memory; N is summed over.
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const uintptr_t addresses = reinterpret_cast<uintptr_t>(B) | reinterpret_cast<uintptr_t>(C);
    const bool vectors = K % 4 == 0 && addresses % 16 == 0, few = N <= (STAGES - 1) * BK;
    const auto chosen = vectors ? (few ? launch<true, true> : launch<true, false>)
                                : (few ? launch<false, true> : launch<false, false>);
    chosen(A, B, C, M, N, K);
}
