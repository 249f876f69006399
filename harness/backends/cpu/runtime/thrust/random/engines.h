// thrust::minstd_rand, minstd_rand0, default_random_engine: those of the C++ standard, with a quick
// discard(), which kernels call to give each thread numbers of its own.
#ifndef LEETK_THRUST_RANDOM_ENGINES_H
#define LEETK_THRUST_RANDOM_ENGINES_H
#pragma GCC system_header

#include <stdint.h>

namespace thrust {
namespace random {

template <class Integer, Integer a, Integer c, Integer m>
class linear_congruential_engine {
    static_assert(c == 0 && m > 1);

public:
    using result_type = Integer;
    static constexpr Integer multiplier = a;
    static constexpr Integer increment = c;
    static constexpr Integer modulus = m;
    static constexpr Integer min = 1;
    static constexpr Integer max = m - 1;
    static constexpr Integer default_seed = 1;

    explicit linear_congruential_engine(Integer s = default_seed) { seed(s); }
    void seed(Integer s = default_seed) { state = s % m == 0 ? 1 : s % m; }
    Integer operator()() { return state = Integer(uint64_t(state) * a % m); }
    // state * a^z, by squaring.
    void discard(unsigned long long z) {
        uint64_t power = a;
        for (; z > 0; z >>= 1) {
            if (z & 1) state = Integer(state * power % m);
            power = power * power % m;
        }
    }
    friend bool operator==(const linear_congruential_engine& x,
                           const linear_congruential_engine& y) {
        return x.state == y.state;
    }
    friend bool operator!=(const linear_congruential_engine& x,
                           const linear_congruential_engine& y) {
        return x.state != y.state;
    }

private:
    Integer state;
};

using minstd_rand0 = linear_congruential_engine<uint32_t, 16807, 0, 2147483647>;
using minstd_rand = linear_congruential_engine<uint32_t, 48271, 0, 2147483647>;
using default_random_engine = minstd_rand;

}  // namespace random

using random::default_random_engine;
using random::linear_congruential_engine;
using random::minstd_rand;
using random::minstd_rand0;

}  // namespace thrust

#endif
