// The atomic functions of api/atomics.h, on the compiler's relaxed builtins.
#include "api/atomics.h"

#include "leetk/core.h"
#include "leetk/trace.h"

namespace {

// A thread that keeps asking the same of one place, and changes nothing, may be waiting for another
// one: it yields at every so many of such calls, soon enough for the wait to be short, seldom
// enough to cost nothing. One count for all threads: those that wait mostly wait for the same.
constexpr unsigned idle_calls_between_yields = 16;
struct {
    const void* address;
    unsigned long long operand;
    unsigned calls;
} idling;

inline void idle(const void* address, unsigned long long operand) {
    if (idling.address != address || idling.operand != operand) {
        idling = {address, operand, 1};
    } else if (++idling.calls % idle_calls_between_yields == 0 && leetk::in_kernel()) {
        leetk::yield();
    }
}

// The bits of a number, as an integer that the builtins take; or of such an integer, as the number.
template <class To, class From>
inline To bits_of(From value) {
    To result{};
    __builtin_memcpy(&result, &value, sizeof(From) < sizeof(To) ? sizeof(From) : sizeof(To));
    return result;
}

}  // namespace

// For counters and checks.
#define LEETK_NOTE(manner)                                                       \
    if (__builtin_expect(leetk::watching, 0))                                    \
    leetk::note_atomic(address, sizeof *address, leetk::Manner::manner,          \
                       __builtin_return_address(0))

// One that the compiler has a builtin for; `next` is what it stores.
#define LEETK_BUILTIN(T, name, manner, builtin, next)                       \
    LEETK_RUNTIME_CODE T name(T* address, T value) {                        \
        LEETK_NOTE(manner);                                                 \
        const T old = __atomic_##builtin(address, value, __ATOMIC_RELAXED); \
        if (old == (T)(next)) idle(address, bits_of<unsigned long long>(value)); \
        return old;                                                         \
    }

// One that replaces what is there by `next`, computed from `old` and `value`, in one step. `Bits`
// is an unsigned integer as wide as T.
#define LEETK_UPDATE(T, Bits, name, manner, next)                                        \
    LEETK_RUNTIME_CODE T name(T* address, T value) {                                     \
        LEETK_NOTE(manner);                                                              \
        Bits* cell = reinterpret_cast<Bits*>(address);                                   \
        Bits seen = __atomic_load_n(cell, __ATOMIC_RELAXED);                             \
        for (;;) {                                                                       \
            const T old = bits_of<T>(seen);                                              \
            const Bits after = bits_of<Bits>((T)(next));                                 \
            if (after == seen) idle(address, bits_of<unsigned long long>(value));        \
            if (__atomic_compare_exchange_n(cell, &seen, after, true, __ATOMIC_RELAXED,  \
                                            __ATOMIC_RELAXED))                           \
                return old;                                                              \
        }                                                                                \
    }

#define LEETK_INTEGER(T, Bits)                                         \
    LEETK_UPDATE(T, Bits, atomicMin, bound, old < value ? old : value) \
    LEETK_UPDATE(T, Bits, atomicMax, bound, old > value ? old : value) \
    LEETK_BUILTIN(T, atomicAnd, bound, fetch_and, old& value)          \
    LEETK_BUILTIN(T, atomicOr, bound, fetch_or, old | value)           \
    LEETK_BUILTIN(T, atomicXor, add, fetch_xor, old ^ value)
LEETK_INTEGER(int, unsigned)
LEETK_INTEGER(unsigned, unsigned)
LEETK_INTEGER(long long, unsigned long long)
LEETK_INTEGER(unsigned long long, unsigned long long)

LEETK_BUILTIN(int, atomicAdd, add, fetch_add, (unsigned)old + (unsigned)value)
LEETK_BUILTIN(unsigned, atomicAdd, add, fetch_add, old + value)
LEETK_BUILTIN(unsigned long long, atomicAdd, add, fetch_add, old + value)
LEETK_BUILTIN(int, atomicSub, add, fetch_sub, (unsigned)old - (unsigned)value)
LEETK_BUILTIN(unsigned, atomicSub, add, fetch_sub, old - value)
LEETK_BUILTIN(int, atomicExch, exchange, exchange_n, value)
LEETK_BUILTIN(unsigned, atomicExch, exchange, exchange_n, value)
LEETK_BUILTIN(unsigned long long, atomicExch, exchange, exchange_n, value)
LEETK_UPDATE(float, unsigned, atomicAdd, add, old + value)
LEETK_UPDATE(double, unsigned long long, atomicAdd, add, old + value)
LEETK_UPDATE(unsigned, unsigned, atomicInc, add, old >= value ? 0 : old + 1)
LEETK_UPDATE(unsigned, unsigned, atomicDec, add, old == 0 || old > value ? value : old - 1)

LEETK_RUNTIME_CODE float atomicExch(float* address, float value) {
    LEETK_NOTE(exchange);
    return bits_of<float>(__atomic_exchange_n(reinterpret_cast<unsigned*>(address),
                                              bits_of<unsigned>(value), __ATOMIC_RELAXED));
}

// Vectors are added element by element: each element in one step, not the vector as a whole.
LEETK_RUNTIME_CODE float2 atomicAdd(float2* address, float2 value) {
    return make_float2(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y));
}
LEETK_RUNTIME_CODE float4 atomicAdd(float4* address, float4 value) {
    return make_float4(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y),
                       atomicAdd(&address->z, value.z), atomicAdd(&address->w, value.w));
}

#define LEETK_CAS(T)                                                                       \
    LEETK_RUNTIME_CODE T atomicCAS(T* address, T compare, T value) {                       \
        LEETK_NOTE(compare);                                                               \
        const T asked = compare;                                                           \
        const bool done = __atomic_compare_exchange_n(address, &compare, value, false,     \
                                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        if (!done) idle(address, (unsigned long long)asked);                               \
        return compare;                                                                    \
    }
LEETK_CAS(int)
LEETK_CAS(unsigned)
LEETK_CAS(unsigned long long)
LEETK_CAS(unsigned short)
