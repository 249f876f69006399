// Where an algorithm runs: on the host, or on the device. Decided by its execution policy or, where
// there is none, by its iterators: those of device memory know that they are, raw pointers count as
// pointers to host memory.
#ifndef LEETK_THRUST_SYSTEM_H
#define LEETK_THRUST_SYSTEM_H
#pragma GCC system_header

#include <stddef.h>

#include <type_traits>
#include <utility>

#include "cub/leetk/device_call.h"
#include "leetk/stream_order.h"
#include "thrust/leetk/raw_iterator.h"
#include "thrust/system_error.h"

namespace leetk {

// ---- policies ----

struct PolicyBase {};

template <bool device>
struct Policy : PolicyBase {
    static constexpr bool on_device = device;
    void* stream = nullptr;

    Policy on(cudaStream_t other) const {
        Policy made;
        made.stream = other;
        return made;
    }
    // par(allocator), and with a stream
    template <class Allocator>
    Policy operator()(const Allocator&) const {
        return *this;
    }
};

template <class P>
using IfPolicy = std::enable_if_t<std::is_base_of_v<PolicyBase, std::decay_t<P>>, int>;

// ---- running ----

// One call of an algorithm.
struct System {
    bool device;
    bool chosen;  // by a policy
    void* stream;
    const char* name;
    Here here;

    // `arguments` as the user gave them.
    template <class Body, class... A>
    void run(Body&& body, const A&... arguments) const {
        if (!device) {
            body();
        } else if (int error = on_device(name, here, stream, 1, body, pointer(arguments)...)) {
            throw thrust::system_error(error, name);
        } else if (!in_kernel()) {
            order_host_for_stream(stream);  // which these algorithms wait for
        }
    }

private:
    // The pointer that has to be one to device memory. Without a policy a raw one need not: only a
    // copy takes both kinds then, and it leads from the host or to the host.
    template <class A>
    auto pointer(const A& argument) const {
        using Raw = typename RawIterator<A>::type;
        if constexpr (std::is_pointer_v<Raw>) {
            return chosen || RawIterator<A>::on_device ? Raw(raw(argument)) : Raw(nullptr);
        } else {
            return 0;
        }
    }
};

template <class P>
System system_of(const P& policy, const char* name, Here here) {
    return {P::on_device, true, policy.stream, name, here};
}
template <class... A>
System default_system(const char* name, Here here, const A&...) {
    return {any_on_device<A...>, false, nullptr, name, here};
}

}  // namespace leetk

#define LEETK_THRUST_HERE ::leetk::Here here = {__builtin_FILE(), __builtin_LINE()}

// Defines an algorithm in namespace thrust, with and without a policy, by a function of the same
// name in namespace leetk::algorithms, which gets the System before the arguments. The lists are in
// parentheses; of the parameters of the first, some may have defaults.
#define LEETK_THRUST(name, templates, parameters, arguments)                                   \
    template <class LeetkPolicy, LEETK_STRIP templates, ::leetk::IfPolicy<LeetkPolicy> = 0>     \
    auto name(const LeetkPolicy& policy, LEETK_STRIP parameters, LEETK_THRUST_HERE) {           \
        return ::leetk::algorithms::name(::leetk::system_of(policy, "thrust::" #name, here),    \
                                         LEETK_STRIP arguments);                                \
    }                                                                                           \
    template <LEETK_STRIP templates>                                                            \
    auto name(LEETK_STRIP parameters, LEETK_THRUST_HERE) {                                      \
        return ::leetk::algorithms::name(                                                       \
            ::leetk::default_system("thrust::" #name, here, LEETK_STRIP arguments),             \
            LEETK_STRIP arguments);                                                             \
    }

#endif
