// Which of CUDA's functions the C library has under the same names: glibc 2.41 and 2.42 brought
// functions of C23 that CUDA had before.
#ifndef LEETK_API_LIBC_H
#define LEETK_API_LIBC_H

#include <limits.h>  // brings glibc's version macros

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 41)
#define LEETK_LIBC_HAS_SINPI 1
#endif
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 42)
#define LEETK_LIBC_HAS_RSQRT 1
#endif

#endif
