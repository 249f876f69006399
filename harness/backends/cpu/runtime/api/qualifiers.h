// The words that CUDA adds to C++, and the macros that tell a source which CUDA compiles it.
//
// One pass of the host compiler compiles host and device code together. So
//   * the qualifiers of functions and variables expand to nothing, apart from __shared__, which
//     leetk/shared.h defines, and __managed__, whose variables lie in a section of their own, so
//     that their addresses are known for what they are;
//   * __CUDA_ARCH__ is defined, as in nvcc's device pass: kernels take the branch that they take
//     on a GPU of compute capability 9.0, and a fallback `#if __CUDA_ARCH__ < 600 ... atomicAdd`
//     stays out. Host code under `#ifndef __CUDA_ARCH__` is therefore left out, too;
//   * __forceinline__ asks without forcing: nvcc accepts it on recursive functions, where
//     always_inline is an error of the host compiler. It contains `inline`, as nvcc's does;
//   * __noinline__ is empty, because the standard library writes __attribute__((__noinline__)).
#ifndef LEETK_API_QUALIFIERS_H
#define LEETK_API_QUALIFIERS_H

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 88
#define __CUDA_API_VER_MAJOR__ 13
#define __CUDA_API_VER_MINOR__ 0
#define __CUDA_ARCH__ 900
#define __CUDA_ARCH_LIST__ 900

// What a source may test to learn that it is compiled for leetk's CPU backend.
#define __LEETK_CPU__ 1

#define __host__
#define __device__
#define __global__
#define __constant__
#if defined(__APPLE__)
#define __managed__ __attribute__((section("__DATA,leetk_managed")))
#else
#define __managed__ __attribute__((section("leetk_managed")))
#endif
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(registers)

#define __forceinline__ __inline__
#define __noinline__
#define __no_return__ __attribute__((noreturn))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#define __thread__ __thread

#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __specialization_static
#define __cdecl
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB

#endif
