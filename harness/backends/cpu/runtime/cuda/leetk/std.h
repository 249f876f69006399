// cuda::std is the host's standard library: one compiler compiles host and device code.
#ifndef LEETK_CUDA_STD_H
#define LEETK_CUDA_STD_H
#pragma GCC system_header

#include <utility>

namespace cuda {
namespace std {
using namespace ::std;
}  // namespace std
}  // namespace cuda

#endif
