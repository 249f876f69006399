// The types that CUDA's overloads give, checked by the compiler. Each line is what nvcc says of the
// same expression.
#include <cuda_runtime.h>

template <class A, class B>
constexpr bool same = false;
template <class A>
constexpr bool same<A, A> = true;

#define GIVES(expression, type) \
  static_assert(same<decltype(expression), type>, #expression " is no " #type)

GIVES(sqrt(1.0f), float);
GIVES(sqrt(1.0), double);
GIVES(sqrt(1), double);
GIVES(abs(-1.0f), float);
GIVES(abs(-1.0), double);
GIVES(abs(-1), int);
GIVES(abs(-1L), long);
GIVES(abs(-1LL), long long);
GIVES(fabs(-1.0f), float);
GIVES(pow(2.0f, 2.0f), float);
GIVES(pow(2.0f, 2), double);
GIVES(pow(2.0, 2), double);
GIVES(powf(2.0f, 2), float);
GIVES(exp(1.0f), float);
GIVES(exp2(1.0f), float);
GIVES(exp10(1.0f), float);
GIVES(exp10(1.0), double);
GIVES(log(1.0f), float);
GIVES(log2(1.0f), float);
GIVES(log10(1.0f), float);
GIVES(log1p(1.0f), float);
GIVES(sin(1.0f), float);
GIVES(cos(1), double);
GIVES(tanh(1.0f), float);
GIVES(atan2(1.0f, 2.0f), float);
GIVES(atan2(1.0f, 2.0), double);
GIVES(fmod(5.0f, 3.0f), float);
GIVES(floor(1.5f), float);
GIVES(ceil(1.5f), float);
GIVES(round(1.5f), float);
GIVES(trunc(1.5f), float);
GIVES(lround(1.5f), long);
GIVES(fma(1.0f, 2.0f, 3.0f), float);
GIVES(fmaf(1.0f, 2.0f, 3.0f), float);
GIVES(fmin(1.0f, 2.0f), float);
GIVES(fmax(1.0f, 2.0), double);
GIVES(fmaxf(1.0f, 2), float);
GIVES(hypot(3.0f, 4.0f), float);
GIVES(cbrt(8.0f), float);
GIVES(erf(1.0f), float);
GIVES(copysign(1.0f, -1.0f), float);
GIVES(copysign(1.0f, -1.0), double);
GIVES(rsqrt(4.0f), float);
GIVES(rsqrt(4.0), double);
GIVES(rcbrt(8.0f), float);
GIVES(sinpi(0.5f), float);
GIVES(cospi(0.5), double);
GIVES(normcdf(0.0f), float);
GIVES(j0(1.0f), float);
GIVES(y1(1.0), double);
GIVES(isnan(1.0f), bool);
GIVES(isinf(1.0), bool);
GIVES(isfinite(1.0f), bool);
GIVES(signbit(1.0f), bool);

GIVES(min(1, 2), int);
GIVES(max(1, 2u), unsigned int);
GIVES(max(1u, 2), unsigned int);
GIVES(min(1L, 2L), long);
GIVES(min(1L, 2UL), unsigned long);
GIVES(max(1LL, 2ULL), unsigned long long);
GIVES(max(1.0f, 2.0f), float);
GIVES(max(1.0f, 2.0), double);
GIVES(min(1.0, 2.0f), double);
GIVES(min('a', 'b'), int);
GIVES(max(true, false), int);
GIVES(std::max(1, 2), const int&);

GIVES(__expf(1.0f), float);
GIVES(__saturatef(2.0f), float);
GIVES(__fmaf_rn(1.0f, 2.0f, 3.0f), float);
GIVES(__float2int_rn(1.0f), int);
GIVES(__float2uint_rz(1.0f), unsigned int);
GIVES(__double2ll_ru(1.0), long long);
GIVES(__int_as_float(0), float);
GIVES(__double_as_longlong(0.0), long long);
GIVES(__clz(1), int);
GIVES(__popcll(1), int);
GIVES(__umulhi(1, 2), unsigned int);
GIVES(__mul64hi(1, 2), long long);
GIVES(__ldg((const float*)nullptr), float);
GIVES(__ldg((int4*)nullptr), int4);
GIVES(__ldcs((const unsigned char*)nullptr), unsigned char);

GIVES(atomicAdd((float*)nullptr, 1), float);
GIVES(atomicAdd((double*)nullptr, 1.0f), double);
GIVES(atomicAdd((int*)nullptr, 1u), int);
GIVES(atomicAdd((float4*)nullptr, float4{}), float4);
GIVES(atomicMax((long long*)nullptr, 1), long long);
GIVES(atomicCAS((unsigned short*)nullptr, 1, 2), unsigned short);
GIVES(atomicExch_block((unsigned*)nullptr, 1), unsigned int);
GIVES(atomicAdd_system((float*)nullptr, 1.0f), float);

// With the whole of namespace std in sight nothing becomes ambiguous that nvcc takes.
using namespace std;

GIVES(min(1, 2), int);
GIVES(max(1.0f, 2.0f), float);
GIVES(max(1.0f, 2.0), double);
GIVES(abs(-1.0f), float);
GIVES(sqrt(2.0f), float);
GIVES(pow(2.0f, 3.0f), float);
GIVES(isnan(1.0f), bool);
GIVES(fma(1.0f, 2.0f, 3.0f), float);

static_assert(sizeof(float3) == 12 && alignof(float3) == 4, "float3");
static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "float4");
static_assert(alignof(float2) == 8 && alignof(double2) == 16 && alignof(double3) == 8, "2 and 3");
static_assert(alignof(double4) == 16 && alignof(double4_32a) == 32, "double4");
static_assert(alignof(char4) == 4 && alignof(short2) == 4 && alignof(uchar3) == 1, "small");
static_assert(alignof(longlong4) == 16 && sizeof(ulong3) == 24, "long");

dim3 none, one(7), two(7, 8), three(7, 8, 9), converted = 5, braced{3, 4}, copied = three;
dim3 from_uint3(make_uint3(1, 2, 3)), assigned = make_uint3(4, 5, 6);
uint3 to_uint3 = three;
float4 zeroed = {}, listed = {1, 2, 3, 4}, made = make_float4(1, 2, 3, 4);

__constant__ float weights[9];
__device__ __managed__ int counter;
static __device__ __forceinline__ float twice(float x) { return 2 * x; }
__host__ __device__ __noinline__ int both(int x) { return x; }
struct __align__(16) Pair {
  float a, b;
};
static_assert(alignof(Pair) == 16 && sizeof(Pair) == 16, "__align__");

template <int N>
__global__ void __launch_bounds__(256, 2)
    kernel(const float* __restrict__ in, float* __restrict__ out, __grid_constant__ const int n) {
  __shared__ float tile[N][N + 1];
  tile[threadIdx.y][threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (__syncthreads_or(threadIdx.x == 0) && n > 0)
    out[threadIdx.x] = twice(tile[threadIdx.x][threadIdx.y]) + (float)both(gridDim.x % warpSize);
  __threadfence();
}
template __global__ void kernel<16>(const float*, float*, const int);

#if !defined(__CUDACC__) || !defined(__NVCC__) || __CUDA_ARCH__ != 900 || CUDART_VERSION < 12000
#error "what tells a source that CUDA compiles it"
#endif
