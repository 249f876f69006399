// The functions of half and bfloat16 with the types that CUDA 13 gives them: each initialiser must
// find exactly that overload. nvcc compiles this file as well.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class A, class B>
constexpr bool same = false;
template <class A>
constexpr bool same<A, A> = true;

static_assert(same<half, __half> && same<half2, __half2> && same<nv_half, __half>, "");
static_assert(same<__nv_half, __half> && same<__nv_half2, __half2> && same<nv_half2, __half2>, "");
static_assert(same<__nv_half_raw, __half_raw> && same<__nv_half2_raw, __half2_raw>, "");
static_assert(same<nv_bfloat16, __nv_bfloat16> && same<nv_bfloat162, __nv_bfloat162>, "");
static_assert(sizeof(half) == 2 && alignof(half) == 2 && sizeof(half2) == 4, "");
static_assert(alignof(half2) == 4 && sizeof(__half_raw) == 2 && alignof(__half2_raw) == 4, "");
static_assert(sizeof(nv_bfloat16) == 2 && alignof(nv_bfloat16) == 2, "");
static_assert(sizeof(nv_bfloat162) == 4 && alignof(nv_bfloat162) == 4, "");

#define HAVE(...)                         \
  {                                       \
    F* const functions[] = {__VA_ARGS__}; \
    (void)functions;                      \
  }

template <class H, class H2>
__device__ void shared_names() {
  {
    using F = H(H);
    HAVE(htrunc, hceil, hfloor, hrint, __habs, __hneg, hsqrt, hrsqrt, hrcp, hlog, hlog2, hlog10)
    HAVE(hexp, htanh_approx, htanh, hexp2, hexp10, hcos, hsin)
  }
  {
    using F = H2(H2);
    HAVE(h2trunc, h2ceil, h2floor, h2rint, __lowhigh2highlow, __hisnan2, __habs2, __hneg2, h2sqrt)
    HAVE(h2tanh_approx, h2tanh, h2rsqrt, h2rcp, h2log, h2log2, h2log10, h2exp, h2exp2, h2exp10)
    HAVE(h2cos, h2sin)
  }
  {
    using F = H(H, H);
    HAVE(__hmax, __hmin, __hadd, __hsub, __hmul, __hadd_rn, __hsub_rn, __hmul_rn, __hdiv)
    HAVE(__hadd_sat, __hsub_sat, __hmul_sat, __hmax_nan, __hmin_nan)
  }
  {
    using F = H2(H2, H2);
    HAVE(__hmax2, __hmin2, __heq2, __hne2, __hle2, __hge2, __hlt2, __hgt2, __hequ2, __hneu2)
    HAVE(__hleu2, __hgeu2, __hltu2, __hgtu2, __hadd2, __hsub2, __hmul2, __hadd2_rn, __hsub2_rn)
    HAVE(__hmul2_rn, __h2div, __hadd2_sat, __hsub2_sat, __hmul2_sat, __hmax2_nan, __hmin2_nan)
  }
  {
    using F = H(H, H, H);
    HAVE(__hfma, __hfma_sat, __hfma_relu)
  }
  {
    using F = H2(H2, H2, H2);
    HAVE(__hfma2, __hfma2_sat, __hfma2_relu, __hcmadd)
  }
  {
    using F = unsigned(H2, H2);
    HAVE(__heq2_mask, __hne2_mask, __hle2_mask, __hge2_mask, __hlt2_mask, __hgt2_mask)
    HAVE(__hequ2_mask, __hneu2_mask, __hleu2_mask, __hgeu2_mask, __hltu2_mask, __hgtu2_mask)
  }
  {
    using F = bool(H2, H2);
    HAVE(__hbeq2, __hbne2, __hble2, __hbge2, __hblt2, __hbgt2, __hbequ2, __hbneu2, __hbleu2)
    HAVE(__hbgeu2, __hbltu2, __hbgtu2)
  }
  {
    using F = bool(H, H);
    HAVE(__heq, __hne, __hle, __hge, __hlt, __hgt, __hequ, __hneu, __hleu, __hgeu, __hltu, __hgtu)
  }
  {
    using F = bool(H);
    HAVE(__hisnan)
  }
  {
    using F = int(H);
    HAVE(__hisinf)
  }
  {
    using F = float(H2);
    HAVE(__low2float, __high2float)
  }
}

template <class T>
__device__ void memory() {
  {
    using F = T(const T*);
    HAVE(__ldg, __ldcg, __ldca, __ldcs, __ldlu, __ldcv)
  }
  {
    using F = void(T*, T);
    HAVE(__stwb, __stcg, __stcs, __stwt)
  }
  {
    using F = T(T*, T);
    HAVE(atomicAdd)
  }
}

#define FROM(type, name)                                                                 \
  {                                                                                      \
    using F = half(type);                                                                \
    HAVE(__##name##2half_rn, __##name##2half_rz, __##name##2half_rd, __##name##2half_ru) \
  }                                                                                      \
  {                                                                                      \
    using F = nv_bfloat16(type);                                                         \
    HAVE(__##name##2bfloat16_rn, __##name##2bfloat16_rz)                                 \
    HAVE(__##name##2bfloat16_rd, __##name##2bfloat16_ru)                                 \
  }
#define BOTH_WAYS(type, name)                                                            \
  FROM(type, name)                                                                       \
  {                                                                                      \
    using F = type(half);                                                                \
    HAVE(__half2##name##_rn, __half2##name##_rz, __half2##name##_rd, __half2##name##_ru) \
  }                                                                                      \
  {                                                                                      \
    using F = type(nv_bfloat16);                                                         \
    HAVE(__bfloat162##name##_rn, __bfloat162##name##_rz)                                 \
    HAVE(__bfloat162##name##_rd, __bfloat162##name##_ru)                                 \
  }

__device__ void conversions() {
  FROM(float, float)
  BOTH_WAYS(short, short)
  BOTH_WAYS(unsigned short, ushort)
  BOTH_WAYS(int, int)
  BOTH_WAYS(unsigned int, uint)
  BOTH_WAYS(long long, ll)
  BOTH_WAYS(unsigned long long, ull)
  {
    using F = signed char(half);
    HAVE(__half2char_rz)
  }
  {
    using F = unsigned char(half);
    HAVE(__half2uchar_rz)
  }
  {
    using F = signed char(nv_bfloat16);
    HAVE(__bfloat162char_rz)
  }
  {
    using F = unsigned char(nv_bfloat16);
    HAVE(__bfloat162uchar_rz)
  }
}

__device__ void names_of_half() {
  half (*const from_float)(float) = __float2half;
  half (*const from_double)(double) = __double2half;
  float (*const to_float)(half) = __half2float;
  half (*const from_bits[])(unsigned short) = {__ushort_as_half, __ushort2half_rn};
  half (*const from_signed_bits)(short) = __short_as_half;
  unsigned short (*const bits)(half) = __half_as_ushort;
  short (*const signed_bits)(half) = __half_as_short;
  half2 (*const pairs[])(half, half) = {make_half2, __halves2half2};
  half2 (*const twice)(half) = __half2half2;
  half (*const halves[])(half2) = {__low2half, __high2half};
  half2 (*const doubled[])(half2) = {__low2half2, __high2half2};
  half2 (*const mixed[])(half2, half2) = {__lows2half2, __highs2half2};
  half2 (*const from_two)(float, float) = __floats2half2_rn;
  half2 (*const from_one)(float) = __float2half2_rn;
  half2 (*const from_float2)(float2) = __float22half2_rn;
  float2 (*const to_float2)(half2) = __half22float2;
  (void)from_float, (void)from_double, (void)to_float, (void)from_bits, (void)from_signed_bits;
  (void)bits, (void)signed_bits, (void)pairs, (void)twice, (void)halves, (void)doubled;
  (void)mixed, (void)from_two, (void)from_one, (void)from_float2, (void)to_float2;
}

__device__ void names_of_bfloat16() {
  nv_bfloat16 (*const from_float)(float) = __float2bfloat16;
  nv_bfloat16 (*const from_double)(double) = __double2bfloat16;
  float (*const to_float)(nv_bfloat16) = __bfloat162float;
  nv_bfloat16 (*const from_bits)(unsigned short) = __ushort_as_bfloat16;
  nv_bfloat16 (*const from_signed_bits)(short) = __short_as_bfloat16;
  unsigned short (*const bits)(nv_bfloat16) = __bfloat16_as_ushort;
  short (*const signed_bits)(nv_bfloat16) = __bfloat16_as_short;
  nv_bfloat162 (*const pairs[])(nv_bfloat16, nv_bfloat16) = {make_bfloat162, __halves2bfloat162};
  nv_bfloat162 (*const twice)(nv_bfloat16) = __bfloat162bfloat162;
  nv_bfloat16 (*const halves[])(nv_bfloat162) = {__low2bfloat16, __high2bfloat16};
  nv_bfloat162 (*const doubled[])(nv_bfloat162) = {__low2bfloat162, __high2bfloat162};
  nv_bfloat162 (*const mixed[])(nv_bfloat162, nv_bfloat162) = {__lows2bfloat162,
                                                               __highs2bfloat162};
  nv_bfloat162 (*const from_two)(float, float) = __floats2bfloat162_rn;
  nv_bfloat162 (*const from_one)(float) = __float2bfloat162_rn;
  nv_bfloat162 (*const from_float2)(float2) = __float22bfloat162_rn;
  float2 (*const to_float2)(nv_bfloat162) = __bfloat1622float2;
  (void)from_float, (void)from_double, (void)to_float, (void)from_bits, (void)from_signed_bits;
  (void)bits, (void)signed_bits, (void)pairs, (void)twice, (void)halves, (void)doubled;
  (void)mixed, (void)from_two, (void)from_one, (void)from_float2, (void)to_float2;
}

__global__ void kernel(half* h, nv_bfloat16* b) {
  shared_names<half, half2>();
  shared_names<nv_bfloat16, nv_bfloat162>();
  memory<half>();
  memory<half2>();
  memory<nv_bfloat16>();
  memory<nv_bfloat162>();
  h[0] = CUDART_INF_FP16 + CUDART_NAN_FP16 + CUDART_MIN_DENORM_FP16 + CUDART_MAX_NORMAL_FP16;
  h[1] = CUDART_NEG_ZERO_FP16 + CUDART_ZERO_FP16 + CUDART_ONE_FP16;
  b[0] = CUDART_INF_BF16 + CUDART_NAN_BF16 + CUDART_MIN_DENORM_BF16 + CUDART_MAX_NORMAL_BF16;
  b[1] = CUDART_NEG_ZERO_BF16 + CUDART_ZERO_BF16 + CUDART_ONE_BF16;
}
