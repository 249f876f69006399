// thrust::uniform_real_distribution, uniform_int_distribution, normal_distribution.
//
// Each takes one number of the engine: uniform numbers scale it, normal ones invert the normal
// distribution at it.
#ifndef LEETK_THRUST_RANDOM_DISTRIBUTIONS_H
#define LEETK_THRUST_RANDOM_DISTRIBUTIONS_H
#pragma GCC system_header

#include "cuda_runtime.h"

namespace thrust {
namespace random {

template <class Real = double>
class uniform_real_distribution {
public:
    using result_type = Real;

    explicit uniform_real_distribution(Real from = Real(0), Real to = Real(1))
        : low(from), high(to) {}
    Real a() const { return low; }
    Real b() const { return high; }
    Real min() const { return low; }
    Real max() const { return high; }
    void reset() {}
    template <class Engine>
    Real operator()(Engine& engine) {
        Real unit = Real(engine() - Engine::min) / (Real(1) + Real(Engine::max - Engine::min));
        return unit * (high - low) + low;
    }

private:
    Real low, high;
};

template <class Integer = int>
class uniform_int_distribution {
public:
    using result_type = Integer;

    explicit uniform_int_distribution(Integer from = 0,
                                      Integer to = std::numeric_limits<Integer>::max())
        : low(from), high(to) {}
    Integer a() const { return low; }
    Integer b() const { return high; }
    Integer min() const { return low; }
    Integer max() const { return high; }
    void reset() {}
    template <class Engine>
    Integer operator()(Engine& engine) {
        uniform_real_distribution<double> real(double(low), double(high) + 1.0);
        return Integer(real(engine));
    }

private:
    Integer low, high;
};

template <class Real = double>
class normal_distribution {
public:
    using result_type = Real;

    explicit normal_distribution(Real mean = Real(0), Real stddev = Real(1))
        : centre(mean), width(stddev) {}
    Real mean() const { return centre; }
    Real stddev() const { return width; }
    void reset() {}
    template <class Engine>
    Real operator()(Engine& engine) {
        constexpr auto range = Engine::max - Engine::min;
        constexpr Real step = Real(1.0 / double(range));
        Real scale = Real(-1.4142135623730951);
        auto number = engine() - Engine::min;
        if (number > range / 2) {  // the upper tail, more exactly from its own end
            number = range - number;
            scale = -scale;
        }
        Real p = Real(number) * step + step / 2;
        return centre + width * scale * erfcinv(2 * p);
    }

private:
    Real centre, width;
};

}  // namespace random

using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

}  // namespace thrust

#endif
