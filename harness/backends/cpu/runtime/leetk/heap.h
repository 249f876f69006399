// The device's heap: memory from malloc and new in kernels. See heap.cpp.
#ifndef LEETK_HEAP_H
#define LEETK_HEAP_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

namespace leetk {

struct Mapping;
struct Shadow;

// Null when the heap's limit is reached.
void* heap_alloc(size_t bytes);
// A fault is reported at `pc`.
void heap_free(void* pointer, uintptr_t pc);
bool in_heap(const void* pointer);

// cudaLimitMallocHeapSize: a cudaError code. Too late once a kernel has used the heap; an H200 then
// refuses what it has already, too.
int set_heap_limit(size_t bytes);
size_t heap_limit();
// Whether an allocation has failed since begin_heap().
bool heap_ran_out();
size_t heap_in_use();

void begin_heap();  // before a call of solve
void check_heap();  // looks at the red zones of all blocks; device memory has to be open

// The block whose part or red zone an address in the heap is; one that was freed has no bytes.
struct HeapSpot {
    uintptr_t begin;
    size_t bytes;
    Shadow** shadow;         // of the part of the heap that the address lies in
    const Mapping* mapping;  // for its name
};
HeapSpot heap_spot(uintptr_t address);

}  // namespace leetk

#pragma GCC visibility pop

#endif
