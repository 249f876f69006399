// An array on the heap for the sorts: what they need of std::vector, which takes longer to compile
// than they do.
#ifndef LEETK_CUB_BUFFER_H
#define LEETK_CUB_BUFFER_H
#pragma GCC system_header

#include <stddef.h>

#include <new>
#include <utility>

namespace leetk {

template <class T>
class Buffer {
public:
    // Room for `count` items, none of which is there yet.
    explicit Buffer(size_t count)
        : items(static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t(alignof(T))))) {}
    Buffer(const Buffer& other) : Buffer(other.used) {
        for (const T& item : other) push(item);
    }
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() {
        for (T& item : *this) item.~T();
        ::operator delete(items, std::align_val_t(alignof(T)));
    }

    template <class... A>
    void push(A&&... arguments) {
        new (static_cast<void*>(items + used)) T{static_cast<A&&>(arguments)...};
        ++used;
    }
    void pop() { items[--used].~T(); }
    void swap(Buffer& other) {
        std::swap(items, other.items);
        std::swap(used, other.used);
    }

    T* data() { return items; }
    size_t size() const { return used; }
    T& operator[](size_t at) { return items[at]; }
    T* begin() { return items; }
    T* end() { return items + used; }
    const T* begin() const { return items; }
    const T* end() const { return items + used; }

private:
    T* items;
    size_t used = 0;
};

}  // namespace leetk

#endif
