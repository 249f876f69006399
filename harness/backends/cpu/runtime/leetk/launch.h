// LEETK_LAUNCH: what the rewriter makes of kernel<<<grid, block, shared, stream>>>(arguments).
//
//     LEETK_LAUNCH("kernel<1>", (kernel<1>), (grid, block, shared, stream), (a, b + 1))
//
// The configuration and each argument are evaluated once, in host code, and stored by value; each
// thread then gets fresh copies. Where the kernel names one function, the arguments are converted
// to its parameters' types at the launch, as in CUDA: NULL, 0, {1, 2}, an overloaded function's
// name and float to int all work. Where it doesn't (an overloaded kernel, template arguments to
// deduce, parameters with default arguments), the call is resolved with the arguments' own types.
//
// The kernel is written into two lambdas. `probe` is never called: whether its return type can be
// formed says which of the two cases it is. Its parameter is there to make that question depend on
// a template argument, without which an overloaded name would be an error.
#ifndef LEETK_LAUNCH_H
#define LEETK_LAUNCH_H
#pragma GCC system_header

#include "leetk/core.h"

#define LEETK_STRIP(...) __VA_ARGS__
// What it stands for, macros replaced, as a literal.
#define LEETK_WORDS(...) LEETK_WORDS_AS_THEY_ARE(__VA_ARGS__)
#define LEETK_WORDS_AS_THEY_ARE(...) #__VA_ARGS__

// What the rewriter puts first into a kernel with __launch_bounds__(threads, ...). A check within
// the kernel, because there the bound may depend on template parameters.
#define LEETK_LAUNCH_BOUNDS(...) ::leetk::check_bounds(__VA_ARGS__)

#define LEETK_LAUNCH(text, kernel, config, arguments)                                     \
    ::leetk::launcher(                                                                    \
        ::leetk::Site{__FILE__, __LINE__, text}, ::leetk::configure config,               \
        [&](auto&&... leetk_stored) { LEETK_STRIP kernel(::leetk::copy(leetk_stored)...); }, \
        [&](auto leetk_probe) -> decltype(leetk_probe(LEETK_STRIP kernel)) {              \
            return leetk_probe(LEETK_STRIP kernel);                                       \
        })                                                                                \
    arguments

namespace leetk {

// CUDA Programming Guide, "Kernel parameters", from compute capability 7.0 on.
constexpr size_t most_parameter_bytes = 32764;

// What a function that ends without a return returns (returns.py).
struct Anything {
    template <class T>
    operator T() const {
        T made;
        return made;
    }
};

template <class... Rest>
inline void check_bounds(int threads, Rest...) {
    if (__builtin_expect(leetk_block_threads > threads, 0)) refuse_launch(threads);
}

inline Config configure(dim3 grid, dim3 block, size_t shared = 0, const void* stream = nullptr) {
    Config config{grid, block};
    config.shared = shared;
    config.stream = const_cast<void*>(stream);
    return config;
}

// A prvalue, so that a parameter of the same type is constructed in place.
template <class T>
T copy(const T& stored) {
    return stored;
}

// An argument of a parameter that is a reference: not copied, since its address is what is passed.
template <class T>
struct Referred {
    T* place;
};
template <class T>
T& copy(const Referred<T>& stored) {
    return *stored.place;
}

template <class T>
void note_pointer(PointerArgument*&, int, const T&) {}
template <class T>
void note_pointer(PointerArgument*& next, int position, T* const& pointer) {
    *next++ = {position, (const void*)pointer};
}

// A parameter that is a reference is an address in host code, unless it refers to a variable that
// both sides have.
template <class P>
struct Argument {
    template <class T>
    static void note(PointerArgument*& next, int position, const T& value) {
        note_pointer(next, position, value);
    }
    template <class T>
    static const T& pass(const T& value) {
        return value;
    }
};
template <class P>
struct Argument<P&> {
    template <class T>
    static void note(PointerArgument*& next, int position, T& value) {
        *next++ = {position, (const void*)__builtin_addressof(value)};
    }
    static Referred<P> pass(P& value) { return {__builtin_addressof(value)}; }
};

template <class... P, class Call, class... A>
void start(const Site& site, Config& config, const Call& call, A&... arguments) {
    PointerArgument pointers[sizeof...(A) + 1];
    PointerArgument* next = pointers;
    int position = 0;
    (Argument<P>::note(next, ++position, arguments), ...);
    (void)position;
    config.pointers = pointers;
    config.pointer_count = int(next - pointers);
    auto body = [&] { call(Argument<P>::pass(arguments)...); };
    using Body = decltype(body);
    run_grid(site, config, [](void* context) { (*static_cast<Body*>(context))(); }, &body);
}

template <bool>
struct If {};
template <>
struct If<true> {
    using type = int;
};

// A kernel whose parameters are not known.
template <class Call>
struct OpenLauncher {
    Site site;
    Config config;
    Call call;

    template <class... A>
    void operator()(A... arguments) {
        start<A...>(site, config, call, arguments...);
    }
};

// A kernel whose parameters are P. Another number of arguments means default arguments.
template <class Call, class... P>
struct Launcher {
    Site site;
    Config config;
    Call call;

    void operator()(P... arguments) {
        static_assert((sizeof(P) + ... + 0) <= most_parameter_bytes,
                      "the kernel's parameters take more than the 32764 bytes that there are");
        start<P...>(site, config, call, arguments...);
    }

    template <class... A, typename If<sizeof...(A) != sizeof...(P)>::type = 0>
    void operator()(A... arguments) {
        start<A...>(site, config, call, arguments...);
    }
};

template <class... P>
struct Exact {
    const void* function;
};
struct Unknown {};

struct Parameters {
    template <class... P>
    Exact<P...> operator()(void (*kernel)(P...)) const {
        return {(const void*)kernel};
    }
};

template <class Probe>
auto look_at(const Probe& probe, int) -> decltype(probe(Parameters{})) {
    return probe(Parameters{});
}
template <class Probe>
Unknown look_at(const Probe&, long) {
    return {};
}

template <class Call, class... P>
Launcher<Call, P...> make_launcher(const Site& site, const Config& config, const Call& call,
                                   Exact<P...> exact) {
    Launcher<Call, P...> made{site, config, call};
    made.config.function = exact.function;
    return made;
}
template <class Call>
OpenLauncher<Call> make_launcher(const Site& site, const Config& config, const Call& call,
                                 Unknown) {
    return {site, config, call};
}

template <class Call, class Probe>
auto launcher(const Site& site, const Config& config, const Call& call, const Probe& probe) {
    return make_launcher(site, config, call, look_at(probe, 0));
}

}  // namespace leetk

#endif
