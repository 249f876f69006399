// thrust::cuda::par and its kin.
#ifndef LEETK_THRUST_CUDA_EXECUTION_POLICY_H
#define LEETK_THRUST_CUDA_EXECUTION_POLICY_H
#pragma GCC system_header

#include "thrust/leetk/system.h"

namespace thrust {

namespace system {
namespace cuda {
inline constexpr ::leetk::Policy<true> par{};
inline constexpr ::leetk::Policy<true> par_nosync{};
struct tag : ::leetk::Policy<true> {};
}  // namespace cuda
}  // namespace system

namespace cuda {
using system::cuda::par;
using system::cuda::par_nosync;
using system::cuda::tag;
}  // namespace cuda

}  // namespace thrust

#endif
