// leetk: problem matmul
// leetk: expect accepted, skipped
//
// Idea:   run the tensor cores at their full rate: wgmma, fed by the copy engine through barriers.
// Change: v8 with its warps told apart: one warpgroup only copies, two multiply in turns.
// Cost:   Hopper alone (sm_90a), 193 KiB of shared memory; an infinity comes out as NaN.
// Expect: about 4.1 of cuBLAS's SGEMM on an H200 at M=8192, N=6144, K=4096, at 1/6 of its error.
// Source: CUDA's guides to Hopper; the split of Ootomo and Yokota, sums promoted as they advise.

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
#error "v9 needs Hopper's own instructions: compile it for sm_90a, or take v8, which needs sm_80"
#endif

constexpr int BM = 128;  // rows of C a block
constexpr int BN = 128;  // columns of C a block
constexpr int BK = 64;  // the part of N in a stage: 128 bytes of halves, as wide as the swizzle
constexpr int STAGES = 3;
constexpr int GROUP = 12;  // rows of tiles that are walked together, so that L2 serves them
constexpr int STEP = 16;  // terms of one wgmma
constexpr int CONSUMERS = 2;  // warpgroups that multiply, 64 rows each; one more copies
constexpr int THREADS = (CONSUMERS + 1) * 128;
constexpr int MOST = 8192;  // terms of the longest sum
constexpr int SHORT = 16;  // sums of fewer terms are left to float32 units

constexpr int TOP = 15;  // a row's largest element is scaled to [2^15, 2^16), FP16's highest binade
constexpr float LARGEST = 65504.0f;  // of FP16; what would round beyond is left to the low half

// A tile's high halves, then its low ones, in chunks of 16 bytes, eight a row.
constexpr int CHUNKS = BK / 8;
constexpr int A_HALF = BM * CHUNKS, B_HALF = BN * CHUNKS;
constexpr int A_BYTES = 2 * A_HALF * 16, B_BYTES = 2 * B_HALF * 16;
constexpr int STAGE_BYTES = A_BYTES + B_BYTES;
constexpr int SHARED_BYTES = STAGES * STAGE_BYTES + 1024;  // stages begin at multiples of 1024

__host__ __device__ constexpr int up(int a, int b) { return (a + b - 1) / b; }

// ---- the split ----------------------------------------------------------------------------------

// A power of two, from its exponent.
__device__ __forceinline__ float power(int exponent) {
    return __int_as_float((exponent + 127) << 23);
}

// The exponent of what brings `largest`, the bits of a positive float, to [2^TOP, 2^(TOP + 1)).
__device__ __forceinline__ int exponent_for(unsigned largest) {
    return largest == 0 ? 0 : min(TOP + 127 - static_cast<int>(largest >> 23), 126);
}

__device__ __forceinline__ float clamped(float x) { return fminf(fmaxf(x, -LARGEST), LARGEST); }

// Eight floats, scaled, each as an FP16 number and a second one for what the first leaves.
__device__ __forceinline__ void split(const float (&x)[8], float scale, uint4& high, uint4& low) {
    __half2 h[4], l[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const float u = x[2 * i] * scale, v = x[2 * i + 1] * scale;
        h[i] = __floats2half2_rn(clamped(u), clamped(v));
        l[i] = __floats2half2_rn(u - __low2float(h[i]), v - __high2float(h[i]));
    }
    high = *reinterpret_cast<uint4*>(h);
    low = *reinterpret_cast<uint4*>(l);
}

// Where wgmma looks for a chunk of a tile: those of eight rows are exchanged so that the ones of
// the same number lie in all banks.
__device__ __forceinline__ int swizzled(int row, int chunk) {
    return row * CHUNKS + (chunk ^ (row & 7));
}

// The row of B's tile for a column of C. A thread holds columns 2q, 2q + 1, 2q + 8 and 2q + 9 of
// wgmma's 16; with this order these are four neighbours, which it can store at once.
__device__ __forceinline__ int place(int column) {
    return (column & ~15) | (column & 2) << 2 | (column >> 1 & 6) | (column & 1);
}

// One block a row of A, which goes through shared memory so that reads are coalesced for every N.
__global__ void __launch_bounds__(256)
split_rows(const float* A, uint4* halves, int* exponents, int M, int N) {
    __shared__ float4 row4[MOST / 4];
    __shared__ unsigned largest;
    float* row = reinterpret_cast<float*>(row4);
    const int m = blockIdx.x, depth = up(N, BK);
    if (threadIdx.x == 0) largest = 0;
    __syncthreads();

    unsigned seen = 0;
#pragma unroll 8
    for (int n = threadIdx.x; n < depth * BK; n += 256) {
        const float x = m < M && n < N ? __ldcs(&A[static_cast<size_t>(m) * N + n]) : 0.0f;
        row[n] = x;
        seen = max(seen, __float_as_uint(x) & 0x7fffffffu);
    }
    seen = __reduce_max_sync(0xffffffffu, seen);
    if (threadIdx.x % 32 == 0) atomicMax(&largest, seen);
    __syncthreads();

    const int exponent = exponent_for(largest);
    if (threadIdx.x == 0) exponents[m] = exponent;
    uint4* tiles = halves + static_cast<size_t>(m / BM) * depth * (2 * A_HALF);
    for (int i = threadIdx.x; i < depth * CHUNKS; i += 256) {
        float x[8];
        *reinterpret_cast<float4*>(&x[0]) = row4[2 * i];
        *reinterpret_cast<float4*>(&x[4]) = row4[2 * i + 1];
        uint4 high, low;
        split(x, power(exponent), high, low);
        uint4* to = tiles + i / CHUNKS * (2 * A_HALF) + swizzled(m % BM, i % CHUNKS);
        to[0] = high;
        to[A_HALF] = low;
    }
}

// The largest magnitude in each column of B, as bits: those of positive floats are in their order.
constexpr int STRIP = 128, ACROSS = 64;
__global__ void __launch_bounds__(256)
column_maxima(const float* B, unsigned* largest, int N, int K) {
    const int k = blockIdx.x * ACROSS + threadIdx.x % ACROSS;
    const int first = blockIdx.y * STRIP, end = min(N, first + STRIP);
    if (k >= K) return;
    unsigned seen = 0;
#pragma unroll 8
    for (int n = first + threadIdx.x / ACROSS; n < end; n += 256 / ACROSS) {
        seen = max(seen, __float_as_uint(B[static_cast<size_t>(n) * K + k]) & 0x7fffffffu);
    }
    atomicMax(&largest[k], seen);
}

// One block a tile of B, whose rows become those of A's: N along memory.
__global__ void __launch_bounds__(256)
split_columns(const float* B, uint4* halves, const unsigned* largest, int* exponents, int N,
              int K) {
    __shared__ uint4 tile[2 * B_HALF];
    for (int i = threadIdx.x; i < B_HALF; i += 256) {
        const int column = i % BN, chunk = i / BN;
        const int k = blockIdx.y * BN + column, n = blockIdx.x * BK + chunk * 8;
        float x[8];
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            x[j] = k < K && n + j < N ? B[static_cast<size_t>(n + j) * K + k] : 0.0f;
        }
        const int exponent = k < K ? exponent_for(largest[k]) : 0;
        if (blockIdx.x == 0 && chunk == 0) exponents[k] = exponent;
        const int at = swizzled(place(column), chunk);
        split(x, power(exponent), tile[at], tile[B_HALF + at]);
    }
    __syncthreads();
    uint4* to = halves + (static_cast<size_t>(blockIdx.y) * gridDim.x + blockIdx.x) * (2 * B_HALF);
    for (int i = threadIdx.x; i < 2 * B_HALF; i += 256) to[i] = tile[i];
}

// ---- instructions that CUDA C++ has no functions for --------------------------------------------

__device__ __forceinline__ uint32_t shared_address(const void* pointer) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void barrier_init(uint32_t barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}

__device__ __forceinline__ void barrier_arrive(uint32_t barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

// Arrives, and lets the barrier wait for so many bytes too.
__device__ __forceinline__ void barrier_expect(uint32_t barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
}

__device__ __forceinline__ void barrier_wait(uint32_t barrier, int parity) {
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "again:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
        "@!p bra again;\n"
        "}\n" ::"r"(barrier),
        "r"(parity)
        : "memory");
}

// The copy engine brings the bytes and tells the barrier.
__device__ __forceinline__ void copy_bulk(uint32_t to, const void* from, int bytes,
                                          uint32_t barrier) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
        ::"r"(to), "l"(from), "r"(bytes), "r"(barrier)
        : "memory");
}

// A tile for wgmma: its address, 1024 bytes from eight rows to the next eight, 128-byte swizzle.
__device__ __forceinline__ uint64_t descriptor(uint32_t address) {
    return (address & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

// d = a b for 64 rows, BN columns and STEP terms, by a warpgroup; with `add` d += a b.
__device__ __forceinline__ void multiply(float (&d)[64], uint64_t a, uint64_t b, int add) {
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "setp.ne.b32 p, %66, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
        "}, %64, %65, p, 1, 1, 0, 0;\n"
        "}\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]),
          "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
          "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]),
          "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
          "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
          "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
          "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
          "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]),
          "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]),
          "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]),
          "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]),
          "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]),
          "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]),
          "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
        : "l"(a), "l"(b), "r"(add));
}

// Neither the compiler's use of d nor wgmma's may cross this.
__device__ __forceinline__ void fence(float (&d)[BN / 2]) {
#pragma unroll
    for (int i = 0; i < BN / 2; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

// ---- the product --------------------------------------------------------------------------------

struct Tile {
    int row, col;
};

// The tiles in an order that keeps those in work at the same time in a square of C.
__device__ __forceinline__ Tile tile_at(int index, int rows, int cols, int group) {
    const int first = index / (group * cols) * group, height = min(group, rows - first);
    const int rest = index % (group * cols);
    return {first + rest % height, rest / height};
}

__device__ __forceinline__ void store(float* C, int M, int K, int r, int c, int e, const int4& es,
                                      bool vectors, float4 x) {
    if (r >= M) return;
    // Two powers for one: each has an exponent that a float can hold.
    x.x = x.x * power(-(e + es.x >> 1)) * power((e + es.x >> 1) - (e + es.x));
    x.y = x.y * power(-(e + es.y >> 1)) * power((e + es.y >> 1) - (e + es.y));
    x.z = x.z * power(-(e + es.z >> 1)) * power((e + es.z >> 1) - (e + es.z));
    x.w = x.w * power(-(e + es.w >> 1)) * power((e + es.w >> 1) - (e + es.w));
    float* to = C + static_cast<size_t>(r) * K + c;
    if (vectors) {
        if (c < K) *reinterpret_cast<float4*>(to) = x;
    } else {
        if (c < K) to[0] = x.x;
        if (c + 1 < K) to[1] = x.y;
        if (c + 2 < K) to[2] = x.z;
        if (c + 3 < K) to[3] = x.w;
    }
}

__global__ void __launch_bounds__(THREADS, 1)
matmul_warpgroups(const uint4* A, const uint4* B, const int* a_exponents, const int* b_exponents,
                  float* C, int M, int N, int K, int group) {
    extern __shared__ unsigned char shared[];
    __shared__ uint64_t filled[STAGES], drained[STAGES];

    const uint32_t stages = (shared_address(shared) + 1023) & ~1023u;
    const uint32_t full = shared_address(filled), empty = shared_address(drained);
    const int depth = up(N, BK), rows = up(M, BM), cols = up(K, BN), tiles = rows * cols;
    const int warpgroup = threadIdx.x / 128;

    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; ++s) {
            barrier_init(full + 8 * s, 1);
            barrier_init(empty + 8 * s, CONSUMERS);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();

    if (warpgroup == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (threadIdx.x % 128 != 0) return;
        int stage = 0, parity = 1;
        for (int index = blockIdx.x; index < tiles; index += gridDim.x) {
            const Tile tile = tile_at(index, rows, cols, group);
            const uint4* a = A + static_cast<size_t>(tile.row) * depth * (2 * A_HALF);
            const uint4* b = B + static_cast<size_t>(tile.col) * depth * (2 * B_HALF);
            for (int t = 0; t < depth; ++t) {
                barrier_wait(empty + 8 * stage, parity);
                const uint32_t to = stages + stage * STAGE_BYTES;
                barrier_expect(full + 8 * stage, STAGE_BYTES);
                copy_bulk(to, a, A_BYTES, full + 8 * stage);
                copy_bulk(to + A_BYTES, b, B_BYTES, full + 8 * stage);
                a += 2 * A_HALF;
                b += 2 * B_HALF;
                if (++stage == STAGES) stage = 0, parity ^= 1;
            }
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        const int thread = threadIdx.x % 128;
        const bool vectors = K % 4 == 0 && reinterpret_cast<uintptr_t>(C) % 16 == 0;
        int stage = 0, parity = 0;
        for (int index = blockIdx.x; index < tiles; index += gridDim.x) {
            float sums[BN / 2] = {}, part[BN / 2];
            for (int t = 0; t < depth; ++t) {
                barrier_wait(full + 8 * stage, parity);
                const uint32_t at = stages + stage * STAGE_BYTES;
                const uint64_t a_high = descriptor(at + warpgroup * 64 * BK * 2);
                const uint64_t a_low = a_high + A_HALF;
                const uint64_t b_high = descriptor(at + A_BYTES);
                const uint64_t b_low = b_high + B_HALF;
                fence(part);
                asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
                // The small products first: what the sum's last bits drop is then least.
#pragma unroll
                for (int i = 0; i < BK / STEP; ++i) {
                    multiply(part, a_low + 2 * i, b_high + 2 * i, i > 0);
                    multiply(part, a_high + 2 * i, b_low + 2 * i, 1);
                }
#pragma unroll
                for (int i = 0; i < BK / STEP; ++i) {
                    multiply(part, a_high + 2 * i, b_high + 2 * i, 1);
                }
                asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
                asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
                fence(part);
                if (thread == 0) barrier_arrive(empty + 8 * stage);
                // The tensor core cuts its sums off; these round to nearest.
#pragma unroll
                for (int i = 0; i < BN / 2; ++i) sums[i] += part[i];
                if (++stage == STAGES) stage = 0, parity ^= 1;
            }

            const Tile tile = tile_at(index, rows, cols, group);
            const int r = tile.row * BM + warpgroup * 64 + thread / 32 * 16 + thread % 32 / 4;
            const int first = tile.col * BN + thread % 4 * 4;
            const int e0 = a_exponents[r], e8 = a_exponents[r + 8];
#pragma unroll
            for (int i = 0; i < BN / 2; i += 8) {
                const int c = first + 2 * i;
                const int4 es = *reinterpret_cast<const int4*>(b_exponents + c);
                const float4 x = make_float4(sums[i], sums[i + 1], sums[i + 4], sums[i + 5]);
                const float4 y = make_float4(sums[i + 2], sums[i + 3], sums[i + 6], sums[i + 7]);
                store(C, M, K, r, c, e0, es, vectors, x);
                store(C, M, K, r + 8, c, e8, es, vectors, y);
            }
        }
    }
}

// Sums of a few terms, in which a float's 24 bits would be missed, and which wait for memory only.
constexpr int SHORT_ROWS = 16, SHORT_COLS = 2;
__global__ void __launch_bounds__(256)
matmul_short(const float* A, const float* B, float* C, int M, int N, int K) {
    static_assert(SHORT_ROWS * SHORT == 256, "a thread brings one element of A");
    __shared__ float tile[SHORT_ROWS][SHORT];
    const int first = blockIdx.y * SHORT_ROWS, k = blockIdx.x * (256 * SHORT_COLS) + threadIdx.x;
    const int row = threadIdx.x / SHORT, n = threadIdx.x % SHORT;
    const bool in = first + row < M && n < N;
    tile[row][n] = in ? A[static_cast<size_t>(first + row) * N + n] : 0.0f;
    float b[SHORT_COLS][SHORT];
#pragma unroll
    for (int c = 0; c < SHORT_COLS; ++c) {
#pragma unroll
        for (int i = 0; i < SHORT; ++i) {
            const int col = k + 256 * c;
            b[c][i] = i < N && col < K ? B[static_cast<size_t>(i) * K + col] : 0.0f;
        }
    }
    __syncthreads();
#pragma unroll 4
    for (int m = 0; m < SHORT_ROWS && first + m < M; ++m) {
        float sums[SHORT_COLS] = {};
#pragma unroll
        for (int i = 0; i < SHORT; ++i) {
#pragma unroll
            for (int c = 0; c < SHORT_COLS; ++c) sums[c] = fmaf(tile[m][i], b[c][i], sums[c]);
        }
#pragma unroll
        for (int c = 0; c < SHORT_COLS; ++c) {
            const int col = k + 256 * c;
            if (col < K) C[static_cast<size_t>(first + m) * K + col] = sums[c];
        }
    }
}

// A is M x N, B is N x K, C is M x K, all row-major in device memory; N is summed over.
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    if (N < SHORT) {
        const dim3 grid(up(K, 256 * SHORT_COLS), up(M, SHORT_ROWS));
        matmul_short<<<grid, 256>>>(A, B, C, M, N, K);
        return;
    }
    int device = 0, multiprocessors = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    // The pool keeps what is given back to it, so that the next call needn't ask the system.
    cudaMemPool_t pool;
    uint64_t kept = UINT64_MAX;
    cudaDeviceGetDefaultMemPool(&pool, device);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);

    const int rows = up(M, BM), cols = up(K, BN), depth = up(N, BK);
    const size_t a_bytes = static_cast<size_t>(rows) * depth * A_BYTES;
    const size_t b_bytes = static_cast<size_t>(cols) * depth * B_BYTES;
    const size_t bytes = a_bytes + b_bytes + static_cast<size_t>(rows * BM + 2 * cols * BN) * 4;
    void* scratch = nullptr;
    if (cudaMallocAsync(&scratch, bytes, 0) != cudaSuccess) return;
    uint4* a = static_cast<uint4*>(scratch);
    uint4* b = a + a_bytes / 16;
    int* a_exponents = reinterpret_cast<int*>(b + b_bytes / 16);
    int* b_exponents = a_exponents + rows * BM;
    unsigned* largest = reinterpret_cast<unsigned*>(b_exponents + cols * BN);

    split_rows<<<rows * BM, 256>>>(A, a, a_exponents, M, N);
    cudaMemsetAsync(largest, 0, static_cast<size_t>(K) * 4);
    column_maxima<<<dim3(up(K, ACROSS), up(N, STRIP)), 256>>>(B, largest, N, K);
    split_columns<<<dim3(depth, cols), 256>>>(B, b, largest, b_exponents, N, K);

    // Short sums are all about storing C: row after row.
    const int group = depth < 8 ? 1 : GROUP;
    cudaFuncSetAttribute(matmul_warpgroups, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         SHARED_BYTES);
    matmul_warpgroups<<<min(multiprocessors, rows * cols), THREADS, SHARED_BYTES>>>(
        a, b, a_exponents, b_exponents, C, M, N, K, group);
    cudaFreeAsync(scratch, 0);
}
