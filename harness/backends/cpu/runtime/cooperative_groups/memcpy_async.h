// Copies by all threads of a group, each thread its share. Into shared memory they are made when the
// thread waits for them (leetk/pipeline.h): who reads before wait() finds what was there before.
#ifndef LEETK_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define LEETK_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#pragma GCC system_header

#include "cooperative_groups.h"
#include "leetk/pipeline_wait.h"

namespace cooperative_groups {
namespace details {

// The thread's share of `count` elements, in one piece each.
template <class Element, class Group>
void copy_share(const Group& group, void* to, const void* from, size_t count) {
    const size_t threads = group.size(), bytes = sizeof(Element);
    const bool async = leetk::is_async(to, from);
    for (size_t at = group.thread_rank() * bytes; at < count * bytes; at += threads * bytes) {
        const leetk::AsyncCopy copy{static_cast<char*>(to) + at,
                                    static_cast<const char*>(from) + at, unsigned(bytes), 0};
        async ? leetk::start_copy(copy) : leetk::make_copy(copy);
    }
}

}  // namespace details

// `bytes` is a number or a cuda::aligned_size_t.
template <class Group, class T, class Size>
void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes) {
    const size_t count = size_t(bytes);
    if constexpr (std::is_void<T>::value) {
        details::copy_share<char>(group, to, from, count);
    } else {
        const size_t whole = count / sizeof(T);
        details::copy_share<T>(group, to, from, whole);
        details::copy_share<char>(group, to + whole, from + whole, count % sizeof(T));
    }
    leetk::end_batch();
}

// The smaller of the two numbers of elements.
template <class Group, class T, class ToLayout, class FromLayout>
void memcpy_async(const Group& group, T* to, const ToLayout& to_count, const T* from,
                  const FromLayout& from_count) {
    const size_t room = size_t(to_count), given = size_t(from_count);
    details::copy_share<T>(group, to, from, room < given ? room : given);
    leetk::end_batch();
}

template <class Group>
void wait(const Group& group, LEETK_HERE) {
    leetk::wait_for_copies(0);
    group.sync(file, line);
}
template <unsigned stages, class Group>
void wait_prior(const Group& group, LEETK_HERE) {
    leetk::wait_for_copies(stages);
    group.sync(file, line);
}

}  // namespace cooperative_groups

#endif
