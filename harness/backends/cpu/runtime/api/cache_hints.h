// Loads and stores with a cache hint (__ldg, __ldcs, __stcs and their kin): plain accesses here
// (but __ldcv and __stwt), for exactly the types that CUDA has them for. What __ldg reads no thread
// of the kernel may write: the checks of accesses look at that.
#ifndef LEETK_API_CACHE_HINTS_H
#define LEETK_API_CACHE_HINTS_H

#include "leetk/types.h"

#if defined(__SANITIZE_THREAD__)
#define LEETK_INSTRUMENTED
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LEETK_INSTRUMENTED
#endif
#endif

namespace leetk {
// Specialised for a type that has cached loads and stores; a header that adds a type (half) adds
// its specialisation.
template <class T>
struct Cached {};
#define LEETK_CACHED(T) \
    template <>         \
    struct Cached<T> {  \
        using type = T; \
    };
LEETK_CACHED(char)
LEETK_CACHED(signed char)
LEETK_CACHED(unsigned char)
LEETK_CACHED(short)
LEETK_CACHED(unsigned short)
LEETK_CACHED(int)
LEETK_CACHED(unsigned int)
LEETK_CACHED(long)
LEETK_CACHED(unsigned long)
LEETK_CACHED(long long)
LEETK_CACHED(unsigned long long)
LEETK_CACHED(float)
LEETK_CACHED(double)
LEETK_CACHED(char2)
LEETK_CACHED(char4)
LEETK_CACHED(uchar2)
LEETK_CACHED(uchar4)
LEETK_CACHED(short2)
LEETK_CACHED(short4)
LEETK_CACHED(ushort2)
LEETK_CACHED(ushort4)
LEETK_CACHED(int2)
LEETK_CACHED(int4)
LEETK_CACHED(uint2)
LEETK_CACHED(uint4)
LEETK_CACHED(longlong2)
LEETK_CACHED(ulonglong2)
LEETK_CACHED(float2)
LEETK_CACHED(float4)
LEETK_CACHED(double2)
}  // namespace leetk

namespace leetk {
void note_read_only(const void* address, unsigned bytes);  // trace.h
}

template <class T>
static inline typename leetk::Cached<T>::type __ldg(const T* from) {
#if defined(LEETK_INSTRUMENTED)
    leetk::note_read_only(from, sizeof(T));
#endif
    return *from;
}

// As nvcc's, which are `asm volatile`: each call loads, so that a loop may poll with it. To the
// compiler each call has a pointer that it knows nothing about.
#define LEETK_CACHED_LOAD(name)                                         \
    template <class T>                                                  \
    static inline typename leetk::Cached<T>::type name(const T* from) { \
        __asm__ volatile("" : "+r"(from));                              \
        return *from;                                                   \
    }
LEETK_CACHED_LOAD(__ldca)
LEETK_CACHED_LOAD(__ldcg)
LEETK_CACHED_LOAD(__ldcs)
LEETK_CACHED_LOAD(__ldlu)
#undef LEETK_CACHED_LOAD

// Fetches again each time: what polls may poll with it.
template <class T>
static inline typename leetk::Cached<T>::type __ldcv(const T* from) {
    if constexpr (__is_class(T)) {
        __asm__ volatile("" ::: "memory");
        return *from;
    } else {
        return *static_cast<const volatile T*>(from);
    }
}

#define LEETK_CACHED_STORE(name)                                            \
    template <class T>                                                      \
    static inline void name(T* to, typename leetk::Cached<T>::type value) { \
        *to = value;                                                        \
    }
LEETK_CACHED_STORE(__stwb)
LEETK_CACHED_STORE(__stcg)
LEETK_CACHED_STORE(__stcs)
#undef LEETK_CACHED_STORE

// Written through: what those poll that fetch again.
template <class T>
static inline void __stwt(T* to, typename leetk::Cached<T>::type value) {
    if constexpr (__is_class(T)) {
        *to = value;
    } else {
        *static_cast<volatile T*>(to) = value;
    }
}

#endif
