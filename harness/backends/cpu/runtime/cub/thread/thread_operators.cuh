// CUB's function objects. CUDA 13 dropped those that the standard library has (Sum, Max, Equality
// and so on); code for CUDA 12 uses them, so they are here.
#ifndef LEETK_CUB_THREAD_OPERATORS_CUH
#define LEETK_CUB_THREAD_OPERATORS_CUH
#pragma GCC system_header

#include "cub/util_type.cuh"
#include "cuda/leetk/extrema.h"
#include "cuda/leetk/operators.h"

namespace cub {

struct Equality {
    template <class A, class B>
    constexpr bool operator()(const A& a, const B& b) const {
        return a == b;
    }
};
struct Inequality {
    template <class A, class B>
    constexpr bool operator()(const A& a, const B& b) const {
        return a != b;
    }
};
struct Sum {
    template <class A, class B>
    constexpr auto operator()(const A& a, const B& b) const {
        return a + b;
    }
};
struct Difference {
    template <class A, class B>
    constexpr auto operator()(const A& a, const B& b) const {
        return a - b;
    }
};
struct Division {
    template <class A, class B>
    constexpr auto operator()(const A& a, const B& b) const {
        return a / b;
    }
};
struct Max {
    template <class A, class B>
    constexpr std::common_type_t<A, B> operator()(const A& a, const B& b) const {
        return b > a ? b : a;
    }
};
struct Min {
    template <class A, class B>
    constexpr std::common_type_t<A, B> operator()(const A& a, const B& b) const {
        return b < a ? b : a;
    }
};

// Of two (index, value) pairs the one with the extreme value; of equals the one with the lower
// index.
struct ArgMax {
    template <class Index, class T>
    KeyValuePair<Index, T> operator()(const KeyValuePair<Index, T>& a,
                                      const KeyValuePair<Index, T>& b) const {
        bool second = b.value > a.value || (a.value == b.value && b.key < a.key);
        return second ? b : a;
    }
};
struct ArgMin {
    template <class Index, class T>
    KeyValuePair<Index, T> operator()(const KeyValuePair<Index, T>& a,
                                      const KeyValuePair<Index, T>& b) const {
        bool second = b.value < a.value || (a.value == b.value && b.key < a.key);
        return second ? b : a;
    }
};

template <class Operation>
struct InequalityWrapper {
    Operation op;

    explicit InequalityWrapper(Operation operation) : op(operation) {}
    template <class A, class B>
    bool operator()(const A& a, const B& b) {
        return !op(a, b);
    }
};

template <class T>
struct CastOp {
    template <class A>
    T operator()(A&& value) const {
        return T(value);
    }
};

template <class Operation>
struct SwizzleScanOp {
    Operation op;

    explicit SwizzleScanOp(Operation operation) : op(operation) {}
    template <class T>
    T operator()(const T& a, const T& b) {
        return op(b, a);
    }
};

// Reduces pairs whose key is a count of segment starts, or a segment's name: a value is taken over
// only as long as the segment stays.
template <class Operation>
struct ReduceBySegmentOp {
    Operation op;

    ReduceBySegmentOp() = default;
    explicit ReduceBySegmentOp(Operation operation) : op(operation) {}
    template <class Pair>
    Pair operator()(const Pair& a, const Pair& b) {
        Pair made;
        made.key = a.key + b.key;
        made.value = b.key ? b.value : op(a.value, b.value);
        return made;
    }
};
template <class Operation>
struct ReduceByKeyOp {
    Operation op;

    ReduceByKeyOp() = default;
    explicit ReduceByKeyOp(Operation operation) : op(operation) {}
    template <class Pair>
    Pair operator()(const Pair& a, const Pair& b) {
        Pair made = b;
        if (a.key == b.key) made.value = op(a.value, b.value);
        return made;
    }
};

}  // namespace cub

#endif
