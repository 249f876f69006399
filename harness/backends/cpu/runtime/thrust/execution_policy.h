// thrust::host, thrust::device, thrust::seq.
#ifndef LEETK_THRUST_EXECUTION_POLICY_H
#define LEETK_THRUST_EXECUTION_POLICY_H
#pragma GCC system_header

#include "thrust/leetk/system.h"

namespace thrust {

template <class Derived>
struct execution_policy {};

inline constexpr ::leetk::Policy<false> host{};
inline constexpr ::leetk::Policy<true> device{};
// Sequentially, where the caller runs.
inline constexpr ::leetk::Policy<false> seq{};

struct host_system_tag : ::leetk::Policy<false> {};
struct device_system_tag : ::leetk::Policy<true> {};

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
