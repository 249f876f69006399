// Which bin of a histogram a sample falls in.
#ifndef LEETK_CUB_BINS_H
#define LEETK_CUB_BINS_H
#pragma GCC system_header

#include <limits>
#include <type_traits>

namespace leetk {

// One for each channel that is counted.
template <class T, int channels>
struct Channels {
    T of[channels];
};

// levels - 1 equal bins of [lower, upper). As CUB does it: floating-point samples are scaled by the
// reciprocal, integers divided exactly; samples outside have no bin (-1).
template <class Sample, class Level>
class EvenBins {
    using T = std::common_type_t<Sample, Level>;

public:
    EvenBins() = default;
    EvenBins(int level_count, Level lower_level, Level upper_level)
        : levels(level_count), lower(T(lower_level)), upper(T(upper_level)) {}

    int count() const { return levels > 1 ? levels - 1 : 0; }
    int of(const Sample& sample) const {
        T value = T(sample);
        if (!(value >= lower && value < upper)) return -1;
        if constexpr (std::is_integral_v<T>) {
            return int(whole(value - lower) * whole(count()) / whole(upper - lower));
        } else {
            T reciprocal = T(T(count()) / T(upper - lower));
            return int((value - lower) * reciprocal);
        }
    }
    bool overflows() const {
        if constexpr (!std::is_integral_v<T>) {
            return false;
        } else {
            auto most = std::numeric_limits<decltype(whole(0))>::max();
            return count() > 0 && whole(upper - lower) > most / whole(count());
        }
    }

private:
    template <class A>
    static auto whole(A a) {
        using Narrow = unsigned int;
        using Wide = unsigned long long;
        constexpr bool narrow = sizeof(Sample) + sizeof(T) <= sizeof(Narrow);
        return std::conditional_t<narrow, Narrow, Wide>(a);
    }

    int levels = 0;
    T lower{}, upper{};
};

// Bin i is [levels[i], levels[i + 1]); the levels lie in device memory.
template <class Level>
struct RangeBins {
    int levels = 0;
    const Level* borders = nullptr;

    int count() const { return levels > 1 ? levels - 1 : 0; }
    template <class Sample>
    int of(const Sample& sample) const {
        int begin = 0, end = levels;
        while (begin < end) {
            int middle = begin + (end - begin) / 2;
            if (sample < borders[middle]) {
                end = middle;
            } else {
                begin = middle + 1;
            }
        }
        return begin - 1;
    }
    bool overflows() const { return false; }
};

}  // namespace leetk

#endif
