// Minimum and maximum: of two, of a sequence, of none.
#ifndef LEETK_CUB_EXTREMUM_H
#define LEETK_CUB_EXTREMUM_H
#pragma GCC system_header

#include <limits>

namespace leetk {

template <bool largest>
struct Extremum {
    template <class T>
    static bool better(const T& a, const T& b) {
        if constexpr (largest) {
            return b < a;
        } else {
            return a < b;
        }
    }
    template <class T>
    T operator()(const T& a, const T& b) const {
        return better(b, a) ? b : a;
    }

    // What CUB gives for no values at all.
    template <class T>
    static T none() {
        return largest ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
    }

    // The index of the first extreme value.
    template <class In>
    static long long find(In in, long long begin, long long end) {
        long long best = begin;
        for (long long i = begin + 1; i < end; ++i) {
            if (better(in[i], in[best])) best = i;
        }
        return best;
    }
};

// A sequence of op(in[i]), for functions that only index.
template <class Value, class In, class Op>
struct Mapped {
    using value_type = Value;
    In in;
    Op op;
    Value operator[](long long i) { return op(in[i]); }
};
template <class Value, class In, class Op>
Mapped<Value, In, Op> mapped(In in, Op op) {
    return {in, op};
}

}  // namespace leetk

#endif
