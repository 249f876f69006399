// The system's <assert.h>, with an assert that says which thread of which block failed. Like the
// system's, it can be included again with another NDEBUG, and takes one argument.
#pragma GCC system_header
#include_next <assert.h>
#if !defined(NDEBUG) && defined(__cplusplus)
#include "api/device_functions.h"
#undef assert
#define assert(condition)                                                                   \
    (static_cast<bool>(condition)                                                           \
         ? void(0)                                                                          \
         : ::leetk::assert_failed(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
