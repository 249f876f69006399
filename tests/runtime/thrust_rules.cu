// thrust's algorithms against the standard library's, on random data, and its rules about memory.
// Prints the name of each check that fails, and how many there were.
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>
#include <thrust/zip_function.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using thrust::placeholders::_1;
using thrust::placeholders::_2;
using Host = std::vector<int>;
using Device = thrust::device_vector<int>;

int checks;

void check(const char* name, bool good) {
    ++checks;
    if (!good) printf("%s\n", name);
}
bool same(const Device& device, const Host& host) {
    thrust::host_vector<int> copy = device;
    return copy == host;
}

void sorted_sequences(const Host& h, std::mt19937& random) {
    Host a = h, b(random() % 200);
    for (int& value : b) value = int(random() % 100);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    Device x = a, y = b, out(a.size() + b.size());
    Host want;
    auto made = [&](auto end) { return int(end - out.begin()); };
    auto agrees = [&](int count) {
        return Host(want) == [&] {
            thrust::host_vector<int> copy(out.begin(), out.begin() + count);
            return Host(copy.begin(), copy.end());
        }();
    };
#define OPERATION(name)                                                                      \
    want.clear();                                                                            \
    std::name(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want));             \
    check(#name, agrees(made(thrust::name(x.begin(), x.end(), y.begin(), y.end(), out.begin()))));
    OPERATION(merge)
    OPERATION(set_union)
    OPERATION(set_intersection)
    OPERATION(set_difference)
    OPERATION(set_symmetric_difference)
    int key = int(random() % 100);
    auto low = std::lower_bound(a.begin(), a.end(), key) - a.begin();
    auto high = std::upper_bound(a.begin(), a.end(), key) - a.begin();
    check("lower_bound", thrust::lower_bound(x.begin(), x.end(), key) - x.begin() == low);
    check("upper_bound", thrust::upper_bound(x.begin(), x.end(), key) - x.begin() == high);
    auto range = thrust::equal_range(x.begin(), x.end(), key);
    check("equal_range", range.second - range.first == high - low);
    check("binary_search", thrust::binary_search(x.begin(), x.end(), key) == (low < high));
    out.resize(b.size());
    thrust::lower_bound(x.begin(), x.end(), y.begin(), y.end(), out.begin());
    want.clear();
    for (int value : b) want.push_back(int(std::lower_bound(a.begin(), a.end(), value) - a.begin()));
    check("lower_bounds", same(out, want));
    check("is_sorted", thrust::is_sorted(x.begin(), x.end()) && !thrust::is_sorted(h.begin(), h.end()));
}

void sequences(const Host& h) {
    Device x = h, out(h.size());
    Host want(h.size());
    std::inclusive_scan(h.begin(), h.end(), want.begin(), std::multiplies<>());
    thrust::inclusive_scan(x.begin(), x.end(), out.begin(), thrust::multiplies<int>());
    check("inclusive_scan", same(out, want));
    std::exclusive_scan(h.begin(), h.end(), want.begin(), 9);
    thrust::exclusive_scan(x.begin(), x.end(), out.begin(), 9);
    check("exclusive_scan", same(out, want));
    thrust::transform_inclusive_scan(x.begin(), x.end(), out.begin(), _1 * 2, thrust::plus<int>());
    std::transform_inclusive_scan(h.begin(), h.end(), want.begin(), std::plus<>(), [](int v) { return 2 * v; });
    check("transform_inclusive_scan", same(out, want));
    std::adjacent_difference(h.begin(), h.end(), want.begin());
    thrust::adjacent_difference(x.begin(), x.end(), out.begin());
    check("adjacent_difference", same(out, want));
    want = h;
    std::stable_partition(want.begin(), want.end(), [](int v) { return v % 3 == 0; });
    out = x;
    auto middle = thrust::stable_partition(out.begin(), out.end(), _1 % 3 == 0);
    check("stable_partition", same(out, want));
    check("count_if", middle - out.begin() == thrust::count_if(x.begin(), x.end(), _1 % 3 == 0));
    want = h;
    std::replace_if(want.begin(), want.end(), [](int v) { return v > 50; }, -1);
    out = x;
    thrust::replace_if(out.begin(), out.end(), _1 > 50, -1);
    check("replace_if", same(out, want));
    out = x;
    out.erase(thrust::remove_if(out.begin(), out.end(), _1 > 50 && _1 != 77), out.end());
    want = h;
    want.erase(std::remove_if(want.begin(), want.end(), [](int v) { return v > 50 && v != 77; }), want.end());
    check("remove_if", same(out, want));
    want = h;
    want.erase(std::unique(want.begin(), want.end()), want.end());
    out = x;
    out.erase(thrust::unique(out.begin(), out.end()), out.end());
    check("unique", same(out, want) && thrust::unique_count(x.begin(), x.end()) == ptrdiff_t(want.size()));
    check("find", thrust::find(x.begin(), x.end(), 42) - x.begin() == std::find(h.begin(), h.end(), 42) - h.begin());
    check("max_element", thrust::max_element(x.begin(), x.end()) - x.begin() ==
                             std::max_element(h.begin(), h.end()) - h.begin());
    auto both = thrust::minmax_element(x.begin(), x.end());
    check("minmax_element", *both.first == *std::min_element(h.begin(), h.end()) &&
                                *both.second == *std::max_element(h.begin(), h.end()));
    check("logical", thrust::all_of(x.begin(), x.end(), _1 >= 0) && thrust::any_of(x.begin(), x.end(), _1 == h[3]) &&
                         thrust::none_of(x.begin(), x.end(), _1 > 1000));
    out = x;
    check("equal", thrust::equal(x.begin(), x.end(), out.begin()));
    out[5] = -7;
    check("mismatch", thrust::mismatch(x.begin(), x.end(), out.begin()).first - x.begin() == 5);
    thrust::tabulate(out.begin(), out.end(), _1 * _1);
    check("tabulate", out[9] == 81);
    check("seq", thrust::reduce(thrust::seq, h.begin(), h.end()) == std::accumulate(h.begin(), h.end(), 0));
}

void pairs(const Host& h) {
    size_t n = h.size();
    Host places(n);
    std::iota(places.begin(), places.end(), 0);
    std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return h[a] > h[b]; });
    Device x = h, y(n);
    thrust::sequence(y.begin(), y.end());
    thrust::stable_sort_by_key(x.begin(), x.end(), y.begin(), thrust::greater<int>());
    check("sort_by_key", same(y, places));
    x = h;
    thrust::sequence(y.begin(), y.end());
    auto zip = thrust::make_zip_iterator(x.begin(), y.begin());
    thrust::sort(zip, zip + ptrdiff_t(n), [](const thrust::tuple<int, int>& a, const thrust::tuple<int, int>& b) {
        return thrust::get<0>(a) != thrust::get<0>(b) ? thrust::get<0>(a) > thrust::get<0>(b)
                                                      : thrust::get<1>(a) < thrust::get<1>(b);
    });
    check("sort zip", same(y, places));
    Device sums(n);
    thrust::transform(zip, zip + ptrdiff_t(n), sums.begin(), thrust::make_zip_function([](int a, int b) { return a + b; }));
    check("zip_function", sums[1] == x[1] + y[1]);
    auto doubled = thrust::make_transform_output_iterator(sums.begin(), _1 * 2);
    thrust::copy(x.begin(), x.end(), doubled);
    check("transform_output_iterator", sums[2] == 2 * x[2]);
    auto ends = thrust::reduce_by_key(x.begin(), x.end(), thrust::make_constant_iterator(1), thrust::make_discard_iterator(),
                                      sums.begin());
    check("reduce_by_key", thrust::reduce(sums.begin(), ends.second) == int(n));
    auto unique = thrust::unique_by_key(x.begin(), x.end(), y.begin());
    check("unique_by_key", unique.first - x.begin() == ends.second - sums.begin() && y[0] == places[0]);
    check("sort pointers", [&] {
        int* raw = thrust::raw_pointer_cast(sums.data());
        thrust::sort(thrust::device, raw, raw + n);
        return thrust::is_sorted(sums.begin(), sums.end());
    }());
    std::vector<double> wild(n);
    for (size_t i = 0; i < n; ++i) wild[i] = (h[i] - 50) * 1e10 / (double(i) + 1);
    thrust::device_vector<double> sorted(wild.begin(), wild.end());
    thrust::sort(sorted.begin(), sorted.end());
    std::sort(wild.begin(), wild.end());
    check("sort doubles", sorted == thrust::device_vector<double>(wild));
}

void others() {
    thrust::minstd_rand engine, far;
    for (int i = 0; i < 9999; ++i) engine();
    check("minstd_rand", engine() == 399268537);  // the C++ standard's value
    far.discard(10000);
    check("discard", far == engine);
    thrust::uniform_real_distribution<float> uniform(2, 3);
    thrust::normal_distribution<double> normal(1, 2);
    thrust::uniform_int_distribution<int> dice(1, 6);
    double sum = 0, squares = 0;
    bool inside = true;
    for (int i = 0; i < 20000; ++i) {
        float u = uniform(engine);
        int d = dice(engine);
        inside = inside && u >= 2 && u < 3 && d >= 1 && d <= 6;
        double v = normal(engine);
        sum += v;
        squares += v * v;
    }
    double mean = sum / 20000;
    check("distributions", inside && mean > 0.95 && mean < 1.05 && squares / 20000 - mean * mean > 3.8);
    thrust::complex<float> z(1, 2), w = z * z + 1.0f;
    check("complex", w == thrust::complex<float>(-2, 4) && thrust::abs(thrust::complex<float>(3, 4)) == 5);
    Device empty;
    check("empty", thrust::reduce(empty.begin(), empty.end(), 3) == 3 && empty.empty());
    thrust::sort(empty.begin(), empty.end());
    Device v{3, 1, 2};
    v.insert(v.begin() + 1, 2, 9);
    v.pop_back();
    check("vector", v.size() == 4 && v[0] == 3 && v[1] == 9 && v[2] == 9 && v.back() == 1);
    v = std::vector<int>{1, 2};
    Device moved = std::move(v), swapped;
    swapped.swap(moved);
    check("moved", v.empty() && moved.empty() && swapped.size() == 2 && swapped[1] == 2);
    try {
        Device huge(size_t(1) << 50);
        check("too large", false);
    } catch (const std::bad_alloc&) {
        check("too large", true);
    }
    thrust::device_ptr<int> p = thrust::device_malloc<int>(4);
    thrust::fill_n(p, 4, 6);
    check("device_malloc", thrust::reduce(p, p + 4) == 24);
    thrust::device_free(p);
}

int main(int count, char** arguments) {
    if (count > 1) {
        int local[4] = {4, 3, 2, 1}, *raw;
        cudaMalloc(&raw, sizeof local);
        if (std::string(arguments[1]) == "0") thrust::sort(thrust::device, local, local + 4);
        return 1;
    }
    std::mt19937 random(5);
    for (size_t n : {10, 31, 300, 5000}) {
        Host h(n);
        for (int& value : h) value = int(random() % 100);
        sorted_sequences(h, random);
        sequences(h);
        pairs(h);
    }
    others();
    printf("%d checks\n", checks);
}
