"""Which names of CUDA, C and the C++ library nvcc keeps to one side: facts about CUDA 13 without
``--expt-relaxed-constexpr``, each tried with nvcc 13.0.

The lists are not complete and needn't be: a name that is missing costs a diagnostic. What nvcc
accepts (``std::sqrt``, ``std::move``, ``printf``, ``malloc``, ``strlen`` of a literal) is left out.
"""

from __future__ import annotations

import re

# Functions that exist for device code only.
DEVICE_ONLY = re.compile(
    r"""__syncthreads(?:_(?:and|or|count))?|__syncwarp|__activemask|clock64
    |__(?:all|any|ballot|uni)_sync|__shfl(?:_up|_down|_xor)?_sync|__match_(?:any|all)_sync
    |__reduce_(?:add|min|max|and|or|xor)_sync
    |__threadfence(?:_block|_system)?|__nanosleep|__trap|__brkpt
    |atomic(?:Add|Sub|Exch|Min|Max|Inc|Dec|CAS|And|Or|Xor)(?:_block|_system)?
    |__ld(?:g|ca|cg|cs|cv|lu)|__st(?:cg|cs|wb|wt)
    |__(?:exp|exp10|log|log2|log10|sin|cos|tan|tanh|pow|sincos)f|__fdividef|__saturatef
    |__f(?:add|sub|mul|div|rcp|sqrt)_r[nzud]|__frsqrt_rn|__fmaf_r[nzud]
    |__d(?:add|sub|mul|div|rcp|sqrt)_r[nzud]|__fma_r[nzud]
    |__(?:float|double)2u?(?:int|ll)_r[nzud]|__(?:float|double)2ull_r[nzud]|__double2float_r[nzud]
    |__u?(?:int|ll)2float_r[nzud]|__ull2float_r[nzud]|__u?int2double_rn|__u?ll2double_r[nzud]
    |__(?:float_as_u?int|u?int_as_float|double_as_longlong|longlong_as_double|hiloint2double)
    |__double2(?:hi|lo)int
    |__(?:popc|clz|ffs|brev)(?:ll)?|__u?mul(?:24|hi|64hi)|__byte_perm|__u?sad
    |__funnelshift_[lr]c?|__dp[24]a
    |__hfma2?(?:_sat|_relu)?|h2?(?:ceil|cos|exp|exp10|exp2|floor|log|log10|log2|rcp|rint|rsqrt)
    |h2?(?:sin|sqrt|trunc)""",
    re.VERBOSE,
)

# Variables of device code; host code that needs their value does not link.
DEVICE_VARIABLES = frozenset(("threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"))

# Functions of the host compiler's own that device code lacks whatever their arguments are, ...
HOST_BUILTIN = re.compile(
    r"""__builtin_(?:trap|abort|exit|prefetch|return_address|frame_address|ia32_\w+|calloc|free|puts
    |putchar|strcpy|memmove|memcmp|memchr|alloca_with_align)
    |__sync_\w+|__atomic_\w+""",
    re.VERBOSE,
)
# ... and those whose calls with constants are put in their places.
HOST_BUILTIN_OF_VALUES = re.compile(
    r"__builtin_(?:(?:ctz|parity|clrsb)(?:ll?)?|(?:clz|popcount|ffs)l|bswap(?:16|32|64)"
    r"|[su]?(?:add|sub|mul)l?l?_overflow(?:_p)?|isnormal|isgreater|isless|isunordered|signbitf"
    r"|isinf_sign|fpclassify|dremf?|significandf?|expect_with_probability|constant_p)"
)
# Methods of std::atomic and std::atomic_flag.
ATOMIC_METHODS = re.compile(
    r"load|store|exchange|fetch_\w+|compare_exchange_\w+|test_and_set|clear"
)

# The C library's functions that device code lacks.
HOST_C = frozenset(
    """
    fopen fclose fread fwrite fprintf fputs fgets fflush fscanf puts putchar getchar scanf sscanf
    sprintf snprintf vsnprintf perror rand srand random drand48 exit _exit abort atexit getenv
    system atoi atof atol strtol strtof strtod qsort bsearch calloc realloc aligned_alloc
    posix_memalign memcmp memmove memchr strcpy strncpy strcat strcmp strncmp strchr strstr strdup
    strtok toupper isdigit isalpha time usleep sleep nanosleep clock_gettime
    sqrtl cbrtl hypotl powl expl exp2l expm1l logl log2l log10l log1pl sinl cosl tanl asinl acosl
    atanl atan2l sinhl coshl tanhl fabsl fmaxl fminl fmodl fmal floorl ceill truncl roundl lroundl
    llroundl rintl lrintl nearbyintl copysignl remainderl erfl tgammal lgammal ldexpl
    """.split()
)
# Functions of namespace std that device code must not call, those that are constexpr included.
HOST_STD = frozenset(
    """
    min max minmax clamp swap sort stable_sort partial_sort nth_element fill fill_n copy copy_n
    copy_if move_backward accumulate reduce inner_product partial_sum inclusive_scan exclusive_scan
    adjacent_difference iota transform for_each find find_if count count_if any_of all_of none_of
    equal max_element min_element minmax_element lower_bound upper_bound binary_search reverse
    rotate unique remove replace merge push_heap pop_heap make_heap next_permutation iter_swap
    swap_ranges generate gcd lcm distance advance next prev begin end size data make_pair
    make_tuple tie exchange addressof to_string stoi stof make_unique make_shared ref bind invoke
    isnormal fpclassify as_const move_if_noexcept launder terminate atomic_thread_fence
    atomic_signal_fence
    """.split()
)
# Those that can't be meant otherwise after ``using namespace std``.
HOST_USED = frozenset(
    """
    swap sort stable_sort fill fill_n accumulate iota transform for_each max_element min_element
    lower_bound upper_bound reverse to_string stoi stof make_pair make_tuple make_unique
    make_shared
    """.split()
)
# Functions of namespace std that are everybody's.
EVERYWHERE_STD = frozenset(("move", "forward", "pow"))
HOST_LIMITS = frozenset(
    ("max", "min", "lowest", "infinity", "epsilon", "quiet_NaN", "denorm_min", "round_error")
)
HOST_STREAMS = frozenset(("cout", "cerr", "clog", "cin"))
# Classes of namespace std whose variables device code can't have in any way.
HOST_CLASSES = frozenset(
    """
    vector string map set unordered_map unordered_set deque list queue stack priority_queue
    function unique_ptr shared_ptr thread lock_guard mt19937 default_random_engine
    uniform_int_distribution uniform_real_distribution normal_distribution random_device valarray
    condition_variable exception runtime_error bitset any variant
    """.split()
)
# Classes that may be copied, but not made from values.
HOST_VALUES = frozenset(("pair", "tuple", "optional", "complex"))
ARRAY_METHODS = frozenset(("size", "data", "begin", "end", "at", "front", "back", "fill", "empty"))

# Names with a device version of CUDA's own, which an overload of the author's only adds to.
DEVICE_C = re.compile(
    r"""(?:acos|asin|atan|atan2|cbrt|ceil|copysign|cos|cosh|cospi|sinpi|erf|erfc|erfinv|erfcinv|erfcx|exp|exp10
    |exp2|expm1|fabs|fdim|floor|fma|fmax|fmin|fmod|frexp|hypot|ilogb|ldexp|lgamma|llrint|llround|log
    |log10|log1p|log2|logb|lrint|lround|modf|nan|nearbyint|nextafter|norm|norm3d|norm4d|normcdf|normcdfinv|pow
    |rcbrt|remainder|remquo|rhypot|rint|rnorm|round|rsqrt|scalbln|scalbn|sin|sincos|sinh|sqrt|tan
    |tanh|tgamma|trunc|acosh|asinh|atanh|sincospi|fdivide|j[01n]|y[01n]|cyl_bessel_i[01])f?
    |abs|labs|llabs|u?(?:ll)?(?:min|max)|signbit|isnan|isinf|isfinite|clock|printf|malloc|free
    |mem(?:cpy|set)|strlen|assert|__assert_fail|vprintf|make_\w+|operator""",
    re.VERBOSE,
)
# Functions whose result is no constant for nvcc, although a host compiler may fold it.
RUNTIME_MATH = re.compile(
    r"(?:sqrt|rsqrt|exp|exp2|expm1|log|log2|log10|log1p|sin|cos|tan|sinh|cosh|tanh|pow|cbrt|atan"
    r"|atan2|asin|acos|erf|hypot)f?|rand|time|clock"
)

# CUDA's functions that make a value of a type of its own, which no constant can be.
MAKERS = re.compile(
    r"make_(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]"
    r"|__(?:float|double|int)2(?:half|bfloat16)\w*"
)

# The runtime API is for the host; device code reaches the rest only with relocatable code.
_RUNTIME_API = re.compile(
    r"cuda(?:Malloc|Memcpy|Memset|MemGet|MemPrefetch|MemAdvise|Free|Host|Stream|Event|Device|Set|Get"
    r"|Func|Launch|Peek|Occupancy|Pointer|Driver|Graph|Ipc|Choose)\w*"
)
_ON_DEVICE = re.compile(
    r"""\w+_t|cudaMalloc|cudaGetDevice|cudaGetDeviceCount|cudaGetError(?:String|Name)
    |cudaDeviceGet(?:Attribute|Limit|CacheConfig|SharedMemConfig)|cudaStream(?:CreateWithFlags
    |Destroy|WaitEvent)|cudaEvent(?:CreateWithFlags|Record|RecordWithFlags|Destroy)
    |cudaFuncGetAttributes|cudaMem(?:cpy|set)[23]DAsync|cudaOccupancyMax\w+|cudaGraph\w+
    |cudaGet(?:CurrentGraphExec|ParameterBuffer\w*)|cudaLaunchDevice\w*""",
    re.VERBOSE,
)


def host_api(name: str) -> bool:
    """Whether a function of CUDA's runtime can't be called (or linked) from device code."""
    return bool(_RUNTIME_API.fullmatch(name)) and not _ON_DEVICE.fullmatch(name)
