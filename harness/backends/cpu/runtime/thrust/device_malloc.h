// thrust::device_malloc, device_free, device_new, device_delete.
#ifndef LEETK_THRUST_DEVICE_MALLOC_H
#define LEETK_THRUST_DEVICE_MALLOC_H
#pragma GCC system_header

#include <new>

#include "thrust/device_ptr.h"

namespace leetk {
inline void* thrust_allocate(size_t bytes, const char* what) {
    void* made = memory_alloc(bytes, region_device, what, "", 0);
    if (!made) throw std::bad_alloc();
    return made;
}
}  // namespace leetk

namespace thrust {

template <class T>
device_ptr<T> device_malloc(size_t count) {
    return device_ptr<T>(
        static_cast<T*>(::leetk::thrust_allocate(count * sizeof(T), "thrust::device_malloc")));
}
template <class T>
void device_free(device_ptr<T> pointer) {
    ::cudaFree((void*)pointer.get());
}

template <class T>
device_ptr<T> device_new(size_t count = 1) {
    device_ptr<T> made = device_malloc<T>(count);
    ::leetk::DeviceAccess access;
    for (size_t i = 0; i < count; ++i) new (static_cast<void*>(made.get() + i)) T();
    return made;
}
template <class T>
void device_delete(device_ptr<T> pointer, size_t = 1) {
    device_free(pointer);
}

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
