// Applies the functions of half and bfloat16 to numbers and writes what they return, in binary, one
// block "format:name bytes\n..." for each. The argument says what to do:
//   unary     every function of one number, to all 65,536 numbers
//   integers  every conversion to an integer, of all numbers
//   binary    every function of two or three numbers, to the triples of 16 bits that come by stdin
//   pairs     every function of pairs: how often it isn't what the one of numbers gives
//   float, double, short, ushort, int, uint, ll, ull: every conversion from that type, of all given
#include <cuda_bf16.h>

#include <cstdio>
#include <cstring>
#include <vector>

static unsigned short result(__half h) { return __half_as_ushort(h); }
static unsigned short result(__nv_bfloat16 h) { return __bfloat16_as_ushort(h); }
static unsigned char result(bool condition) { return condition; }
template <class T>
static T result(T number) {
  return number;
}

template <class H>
static H number(unsigned short bits) {
  H h;
  static_assert(sizeof h == 2, "");
  memcpy((void*)&h, &bits, 2);
  return h;
}

template <class H>
static const char* format = "half";
template <>
const char* format<__nv_bfloat16> = "bfloat16";

template <class T>
static std::vector<T> input() {
  std::vector<T> values;
  T value;
  while (fread(&value, sizeof value, 1, stdin) == 1) values.push_back(value);
  return values;
}

template <class H, class T>
static void write(const char* name, const std::vector<T>& values) {
  printf("%s:%s %zu\n", format<H>, name, values.size() * sizeof(T));
  fwrite(values.data(), sizeof(T), values.size(), stdout);
}

// Functions come as pointers: as types of their own they would be most of what there is to compile.
template <class H, class R>
static void all(const char* name, R (*function)(H)) {
  std::vector<decltype(result(function(H())))> results;
  for (unsigned bits = 0; bits < 65536; ++bits)
    results.push_back(result(function(number<H>((unsigned short)bits))));
  write<H>(name, results);
}

template <class H, class R>
static void pairs(const char* name, const std::vector<unsigned short>& in,
                  R (*function)(H, H, H)) {
  std::vector<decltype(result(function(H(), H(), H())))> results;
  for (size_t i = 0; i + 2 < in.size(); i += 3)
    results.push_back(
        result(function(number<H>(in[i]), number<H>(in[i + 1]), number<H>(in[i + 2]))));
  write<H>(name, results);
}

template <class H, class T>
static void from(const char* name, const std::vector<T>& in, H (*function)(T)) {
  std::vector<unsigned short> results;
  for (const T value : in) results.push_back(result(function(value)));
  write<H>(name, results);
}

#define UNARY(f) all<H>(#f, +[](H x) { return f(x); });
#define BINARY(f) pairs<H>(#f, in, +[](H x, H y, H) { return f(x, y); });
#define TERNARY(f) pairs<H>(#f, in, +[](H x, H y, H z) { return f(x, y, z); });
#define OPERATOR(name, op) pairs<H>(name, in, +[](H x, H y, H) { return result(x op y); });

template <class H>
static void unary() {
  UNARY(__hneg)
  UNARY(__habs)
  UNARY(htrunc)
  UNARY(hceil)
  UNARY(hfloor)
  UNARY(hrint)
  UNARY(hsqrt)
  UNARY(hrcp)
  UNARY(hrsqrt)
  UNARY(hlog)
  UNARY(hlog2)
  UNARY(hlog10)
  UNARY(hexp)
  UNARY(hexp2)
  UNARY(hexp10)
  UNARY(hsin)
  UNARY(hcos)
  UNARY(htanh)
  UNARY(htanh_approx)
  UNARY(__hisnan)
  UNARY(__hisinf)
  all<H>("negative", +[](H x) { return -x; });
  all<H>("float", +[](H x) { return (float)x; });
  all<H>("double", +[](H x) { return (double)x; });
  all<H>("bool", +[](H x) { return (bool)x; });
  all<H>("int", +[](H x) { return (int)x; });
  all<H>("unsigned long", +[](H x) { return (unsigned long)x; });
  all<H>("char", +[](H x) { return (signed char)(char)x; });
  all<H>("increment", +[](H x) { return ++x; });
  all<H>("decrement", +[](H x) { return --x; });
}

template <class H>
static void binary(const std::vector<unsigned short>& in) {
  BINARY(__hadd)
  BINARY(__hsub)
  BINARY(__hmul)
  BINARY(__hdiv)
  BINARY(__hadd_rn)
  BINARY(__hsub_rn)
  BINARY(__hmul_rn)
  BINARY(__hadd_sat)
  BINARY(__hsub_sat)
  BINARY(__hmul_sat)
  TERNARY(__hfma)
  TERNARY(__hfma_sat)
  TERNARY(__hfma_relu)
  BINARY(__hmax)
  BINARY(__hmin)
  BINARY(__hmax_nan)
  BINARY(__hmin_nan)
  BINARY(__heq)
  BINARY(__hne)
  BINARY(__hle)
  BINARY(__hge)
  BINARY(__hlt)
  BINARY(__hgt)
  BINARY(__hequ)
  BINARY(__hneu)
  BINARY(__hleu)
  BINARY(__hgeu)
  BINARY(__hltu)
  BINARY(__hgtu)
  OPERATOR("+", +)
  OPERATOR("-", -)
  OPERATOR("*", *)
  OPERATOR("/", /)
  OPERATOR("+=", +=)
  OPERATOR("-=", -=)
  OPERATOR("*=", *=)
  OPERATOR("/=", /=)
  OPERATOR("==", ==)
  OPERATOR("!=", !=)
  OPERATOR("<", <)
  OPERATOR(">", >)
  OPERATOR("<=", <=)
  OPERATOR(">=", >=)
}

// Numbers of all kinds, and no two alike among the six of a call.
template <class H, class H2>
static void count(const char* name, H2 (*pair)(H2, H2, H2), H (*single)(H, H, H)) {
  unsigned differ = 0;
  for (unsigned i = 0; i < 65536; ++i) {
    H h[6];
    for (unsigned k = 0; k < 6; ++k) h[k] = number<H>((unsigned short)((i + 7 * k) * 40503u));
    const H2 got = pair(H2(h[0], h[1]), H2(h[2], h[3]), H2(h[4], h[5]));
    differ += result(got.x) != result(single(h[0], h[2], h[4]));
    differ += result(got.y) != result(single(h[1], h[3], h[5]));
  }
  write<H>(name, std::vector<unsigned>{differ});
}

#define PAIRS1(f, f2) \
  count<H, H2>(#f2, +[](H2 x, H2, H2) { return f2(x); }, +[](H x, H, H) { return f(x); });
#define PAIRS2(f, f2) \
  count<H, H2>(#f2, +[](H2 x, H2 y, H2) { return f2(x, y); }, +[](H x, H y, H) { return f(x, y); });
#define PAIRS3(f, f2)                                              \
  count<H, H2>(#f2, +[](H2 x, H2 y, H2 z) { return f2(x, y, z); }, \
               +[](H x, H y, H z) { return f(x, y, z); });
#define COMPARED(f, f2, mask2, both2)                                                         \
  count<H, H2>(#f2, +[](H2 x, H2 y, H2) { return f2(x, y); },                                 \
               +[](H x, H y, H) { return H(f(x, y) ? 1.0f : 0.0f); });                        \
  count<H, H2>(#mask2,                                                                        \
               +[](H2 x, H2 y, H2) {                                                          \
                 const unsigned mask = mask2(x, y);                                           \
                 const bool ends = !((mask ^ mask >> 1) & 0x7fff7fff);                        \
                 return ends ? H2(H(mask & 1 ? 1.0f : 0.0f), H(mask >> 16 ? 1.0f : 0.0f))     \
                             : H2(H(2.0f), H(2.0f));                                          \
               },                                                                             \
               +[](H x, H y, H) { return H(f(x, y) ? 1.0f : 0.0f); });                        \
  count<H, H2>(#both2,                                                                        \
               +[](H2 x, H2 y, H2) {                                                          \
                 const bool mixed = both2(x, y) != (f(x.x, y.x) && f(x.y, y.y));              \
                 return H2(H(mixed ? 2.0f : both2(H2(x.x, x.x), H2(y.x, y.x)) ? 1.0f : 0.0f), \
                           H(both2(H2(x.y, x.y), H2(y.y, y.y)) ? 1.0f : 0.0f));               \
               },                                                                             \
               +[](H x, H y, H) { return H(f(x, y) ? 1.0f : 0.0f); });

template <class H, class H2>
static void all_pairs() {
  PAIRS1(__hneg, __hneg2)
  PAIRS1(__habs, __habs2)
  PAIRS1(htrunc, h2trunc)
  PAIRS1(hceil, h2ceil)
  PAIRS1(hfloor, h2floor)
  PAIRS1(hrint, h2rint)
  PAIRS1(hsqrt, h2sqrt)
  PAIRS1(hrcp, h2rcp)
  PAIRS1(hrsqrt, h2rsqrt)
  PAIRS1(hlog, h2log)
  PAIRS1(hlog2, h2log2)
  PAIRS1(hlog10, h2log10)
  PAIRS1(hexp, h2exp)
  PAIRS1(hexp2, h2exp2)
  PAIRS1(hexp10, h2exp10)
  PAIRS1(hsin, h2sin)
  PAIRS1(hcos, h2cos)
  PAIRS1(htanh, h2tanh)
  PAIRS1(htanh_approx, h2tanh_approx)
  PAIRS2(__hadd, __hadd2)
  PAIRS2(__hsub, __hsub2)
  PAIRS2(__hmul, __hmul2)
  PAIRS2(__hdiv, __h2div)
  PAIRS2(__hadd, __hadd2_rn)
  PAIRS2(__hsub, __hsub2_rn)
  PAIRS2(__hmul, __hmul2_rn)
  PAIRS2(__hadd_sat, __hadd2_sat)
  PAIRS2(__hsub_sat, __hsub2_sat)
  PAIRS2(__hmul_sat, __hmul2_sat)
  PAIRS2(__hmax, __hmax2)
  PAIRS2(__hmin, __hmin2)
  PAIRS2(__hmax_nan, __hmax2_nan)
  PAIRS2(__hmin_nan, __hmin2_nan)
  PAIRS3(__hfma, __hfma2)
  PAIRS3(__hfma_sat, __hfma2_sat)
  PAIRS3(__hfma_relu, __hfma2_relu)
  COMPARED(__heq, __heq2, __heq2_mask, __hbeq2)
  COMPARED(__hne, __hne2, __hne2_mask, __hbne2)
  COMPARED(__hle, __hle2, __hle2_mask, __hble2)
  COMPARED(__hge, __hge2, __hge2_mask, __hbge2)
  COMPARED(__hlt, __hlt2, __hlt2_mask, __hblt2)
  COMPARED(__hgt, __hgt2, __hgt2_mask, __hbgt2)
  COMPARED(__hequ, __hequ2, __hequ2_mask, __hbequ2)
  COMPARED(__hneu, __hneu2, __hneu2_mask, __hbneu2)
  COMPARED(__hleu, __hleu2, __hleu2_mask, __hbleu2)
  COMPARED(__hgeu, __hgeu2, __hgeu2_mask, __hbgeu2)
  COMPARED(__hltu, __hltu2, __hltu2_mask, __hbltu2)
  COMPARED(__hgtu, __hgtu2, __hgtu2_mask, __hbgtu2)
}

#define MODES(f) UNARY(f##_rn) UNARY(f##_rz) UNARY(f##_rd) UNARY(f##_ru)

static void integers() {
  {
    using H = __half;
    UNARY(__half2char_rz)
    UNARY(__half2uchar_rz)
    MODES(__half2short)
    MODES(__half2ushort)
    MODES(__half2int)
    MODES(__half2uint)
    MODES(__half2ll)
    MODES(__half2ull)
    UNARY(__half2float)
    all<H>("other", +[](H x) { return __nv_bfloat16(x); });
  }
  using H = __nv_bfloat16;
  UNARY(__bfloat162char_rz)
  UNARY(__bfloat162uchar_rz)
  MODES(__bfloat162short)
  MODES(__bfloat162ushort)
  MODES(__bfloat162int)
  MODES(__bfloat162uint)
  MODES(__bfloat162ll)
  MODES(__bfloat162ull)
  UNARY(__bfloat162float)
  all<H>("other", +[](H x) { return __half(x); });
}

#define FROM(H, f) from<H>(#f, in, +[](T x) { return f(x); });
#define FROM_MODES(type, name)                                                     \
  if (!strcmp(argv[1], #name)) {                                                   \
    using T = type;                                                                \
    const std::vector<T> in = input<T>();                                          \
    FROM(__half, __##name##2half_rn)                                               \
    FROM(__half, __##name##2half_rz)                                               \
    FROM(__half, __##name##2half_rd)                                               \
    FROM(__half, __##name##2half_ru)                                               \
    from<__half>("constructor", in, +[](T x) { return __half(x); });               \
    FROM(__nv_bfloat16, __##name##2bfloat16_rn)                                    \
    FROM(__nv_bfloat16, __##name##2bfloat16_rz)                                    \
    FROM(__nv_bfloat16, __##name##2bfloat16_rd)                                    \
    FROM(__nv_bfloat16, __##name##2bfloat16_ru)                                    \
    from<__nv_bfloat16>("constructor", in, +[](T x) { return __nv_bfloat16(x); }); \
  }

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  if (!strcmp(argv[1], "unary")) {
    unary<__half>();
    unary<__nv_bfloat16>();
  }
  if (!strcmp(argv[1], "integers")) integers();
  if (!strcmp(argv[1], "pairs")) {
    all_pairs<__half, __half2>();
    all_pairs<__nv_bfloat16, __nv_bfloat162>();
  }
  if (!strcmp(argv[1], "binary")) {
    const std::vector<unsigned short> in = input<unsigned short>();
    binary<__half>(in);
    binary<__nv_bfloat16>(in);
  }
  if (!strcmp(argv[1], "double")) {
    using T = double;
    const std::vector<T> in = input<T>();
    FROM(__half, __double2half)
    FROM(__half, __half)
    FROM(__nv_bfloat16, __double2bfloat16)
    FROM(__nv_bfloat16, __nv_bfloat16)
  }
  FROM_MODES(float, float)
  FROM_MODES(short, short)
  FROM_MODES(unsigned short, ushort)
  FROM_MODES(int, int)
  FROM_MODES(unsigned int, uint)
  FROM_MODES(long long, ll)
  FROM_MODES(unsigned long long, ull)
}
