// Copies by all threads of a group. They are made at once, each thread its share; what comes after
// wait() sees all of it, as on a device.
#ifndef LEETK_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define LEETK_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#pragma GCC system_header

#include "cooperative_groups.h"

namespace cooperative_groups {
namespace details {

template <class Group>
void copy_share(const Group& group, void* to, const void* from, size_t bytes) {
    const size_t threads = group.size();
    for (size_t at = group.thread_rank(); at < bytes; at += threads) {
        static_cast<char*>(to)[at] = static_cast<const char*>(from)[at];
    }
}

// The same for elements of a type, in one piece each.
template <class Group, class T>
void copy_elements(const Group& group, T* to, const T* from, size_t count) {
    const size_t threads = group.size();
    for (size_t at = group.thread_rank(); at < count; at += threads) to[at] = from[at];
}

}  // namespace details

// `bytes` is a number or a cuda::aligned_size_t.
template <class Group, class T, class Size>
void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes) {
    const size_t count = size_t(bytes);
    if constexpr (std::is_void<T>::value) {
        details::copy_share(group, to, from, count);
    } else {
        const size_t whole = count / sizeof(T);
        details::copy_elements(group, to, from, whole);
        details::copy_share(group, to + whole, from + whole, count % sizeof(T));
    }
}

// The smaller of the two numbers of elements.
template <class Group, class T, class ToLayout, class FromLayout>
void memcpy_async(const Group& group, T* to, const ToLayout& to_count, const T* from,
                  const FromLayout& from_count) {
    const size_t room = size_t(to_count), given = size_t(from_count);
    details::copy_elements(group, to, from, room < given ? room : given);
}

template <class Group>
void wait(const Group& group, LEETK_HERE) {
    group.sync(file, line);
}
template <unsigned stages, class Group>
void wait_prior(const Group& group, LEETK_HERE) {
    group.sync(file, line);
}

}  // namespace cooperative_groups

#endif
