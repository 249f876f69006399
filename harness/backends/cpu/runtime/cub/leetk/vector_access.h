// What vectorised loads and stores need: a device faults on a misaligned one.
#ifndef LEETK_CUB_VECTOR_ACCESS_H
#define LEETK_CUB_VECTOR_ACCESS_H
#pragma GCC system_header

#include <stddef.h>

namespace leetk {

// A vector of `count` values, as far as alignment goes. The compiler's alignment check
// (-fsanitize=alignment) sees the assignment.
template <class T, int count>
struct alignas(sizeof(T) * count <= 16 ? sizeof(T) * count : 16) VectorOf {
    unsigned char bytes[sizeof(T) * count];
};

// How many values go into one store of an array of `items`.
template <class T>
constexpr int vector_width(int items) {
    bool power = (sizeof(T) & (sizeof(T) - 1)) == 0;
    int most = items < 4 ? items : 4;
    return power && (most & (most - 1)) == 0 && items % most == 0 ? most : 1;
}

}  // namespace leetk

#endif
