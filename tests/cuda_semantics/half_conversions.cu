// half and bfloat16 to integers and back: every way of rounding, what doesn't fit, NaN.
#include <cstdio>
#include <cuda_bf16.h>

#define MODES(name, x) name##_rn(x), name##_rz(x), name##_rd(x), name##_ru(x)
#define SHOW(format, name, x)                                                             \
  printf(#name " " format " " format " " format " " format "\n", MODES(name, x))

__global__ void from_half(const unsigned short* in, int count) {
  for (int i = 0; i < count; ++i) {
    half x = __ushort_as_half(in[i]);
    printf("%04x\n", in[i]);
    SHOW("%d", __half2short, x);
    SHOW("%d", __half2ushort, x);
    SHOW("%d", __half2int, x);
    SHOW("%u", __half2uint, x);
    SHOW("%lld", __half2ll, x);
    SHOW("%llu", __half2ull, x);
    printf("char %d %d bool %d int %d float %g\n", __half2char_rz(x), __half2uchar_rz(x), (bool)x,
           (int)x, (float)x);
  }
}

__global__ void from_bfloat16(const unsigned short* in, int count) {
  for (int i = 0; i < count; ++i) {
    nv_bfloat16 x = __ushort_as_bfloat16(in[i]);
    printf("%04x\n", in[i]);
    SHOW("%d", __bfloat162short, x);
    SHOW("%d", __bfloat162ushort, x);
    SHOW("%d", __bfloat162int, x);
    SHOW("%u", __bfloat162uint, x);
    SHOW("%lld", __bfloat162ll, x);
    SHOW("%llu", __bfloat162ull, x);
    printf("char %d %d bool %d int %d float %g\n", __bfloat162char_rz(x), __bfloat162uchar_rz(x),
           (bool)x, (int)x, (float)x);
  }
}

#define TO(name, x)                                                                        \
  printf(#name " half %04x %04x %04x %04x bfloat16 %04x %04x %04x %04x\n",                 \
         __half_as_ushort(__##name##2half_rn(x)), __half_as_ushort(__##name##2half_rz(x)), \
         __half_as_ushort(__##name##2half_rd(x)), __half_as_ushort(__##name##2half_ru(x)), \
         __bfloat16_as_ushort(__##name##2bfloat16_rn(x)),                                  \
         __bfloat16_as_ushort(__##name##2bfloat16_rz(x)),                                  \
         __bfloat16_as_ushort(__##name##2bfloat16_rd(x)),                                  \
         __bfloat16_as_ushort(__##name##2bfloat16_ru(x)))

__global__ void from_integers(const long long* in, int count) {
  for (int i = 0; i < count; ++i) {
    printf("%lld\n", in[i]);
    TO(short, (short)in[i]);
    TO(ushort, (unsigned short)in[i]);
    TO(int, (int)in[i]);
    TO(uint, (unsigned)in[i]);
    TO(ll, in[i]);
    TO(ull, (unsigned long long)in[i]);
  }
}

int main() {
  const unsigned short halves[] = {0x0000, 0x8000, 0x3800, 0x3801, 0xb800, 0x3e00, 0x4100,
                                   0xc100, 0x57f8, 0x5804, 0xd808, 0x5bfe, 0x5c04, 0x77ff,
                                   0x7800, 0xf800, 0x7bff, 0x0001, 0x7c00, 0xfc00, 0x7e00};
  const unsigned short bfloats[] = {0x0000, 0x8000, 0x3f00, 0x3f01, 0xbf00, 0x3fc0, 0x4020, 0xc020,
                                    0x42ff, 0x4301, 0xc301, 0x437f, 0x46ff, 0x4700, 0xc700, 0x477f,
                                    0x4eff, 0x4f00, 0xcf00, 0x4f80, 0x5eff, 0x5f00, 0x5f80, 0x7f7f,
                                    0xff7f, 0x0001, 0x7f80, 0xff80, 0x7fc0};
  const long long integers[] = {0,
                                1,
                                -1,
                                257,
                                259,
                                -257,
                                2049,
                                2051,
                                -2049,
                                65504,
                                65519,
                                65520,
                                -65520,
                                16777217,
                                0x808001,
                                0x7fffffff,
                                -0x7fffffffll - 1,
                                0x0101000000000001,
                                0x0101000000000000,
                                0x0102ffffffffffff,
                                0x0103000000000000,
                                -0x0101000000000001,
                                0x7fffffffffffffff,
                                -0x7fffffffffffffff - 1};
  unsigned short* in;
  long long* numbers;
  cudaMallocManaged(&in, sizeof bfloats);
  cudaMallocManaged(&numbers, sizeof integers);
  int count = 0;
  for (unsigned short bits : halves) in[count++] = bits;
  from_half<<<1, 1>>>(in, count);
  cudaDeviceSynchronize();
  count = 0;
  for (unsigned short bits : bfloats) in[count++] = bits;
  from_bfloat16<<<1, 1>>>(in, count);
  cudaDeviceSynchronize();
  count = 0;
  for (long long number : integers) numbers[count++] = number;
  from_integers<<<1, 1>>>(numbers, count);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(numbers);
}
