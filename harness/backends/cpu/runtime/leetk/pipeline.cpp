// The copies that the running block's threads have started and not yet waited for (pipeline.h).
//
// A queue for each thread, by its rank. Those of a block that is put aside are made then, as its
// shared memory isn't where they would store to later; CUDA allows any moment. What a thread never
// waits for is dropped with its block: nobody can tell.
#include "leetk/pipeline.h"

#include <string.h>

#include "leetk/pages.h"
#include "leetk/runtime.h"
#include "leetk/scheduler.h"

namespace leetk {
namespace {

struct Item {
    AsyncCopy copy;
    unsigned batch;
};

struct Queue {
    Item* items;  // kept from block to block
    int room, next, end;
    unsigned batches;  // that have been ended
};

Queue queues[most_threads];
bool used;  // by a thread of the running block

// Between these no other thread runs, nor is the block put aside.
struct Undisturbed {
    const bool was_busy = scheduler.busy;
    Undisturbed() {
        scheduler.busy = true;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
    ~Undisturbed() {
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        scheduler.busy = was_busy;
    }
};

Queue& own() { return queues[scheduler.current->rank]; }

bool grow(Queue& queue) {
    const int room = queue.room ? 2 * queue.room : 128;
    Item* items = static_cast<Item*>(take_pages(size_t(room) * sizeof(Item)));
    if (!items) return false;
    if (queue.items) memcpy(items, queue.items, size_t(queue.end) * sizeof(Item));
    drop_pages(queue.items);
    queue.items = items;
    queue.room = room;
    return true;
}

LEETK_RUNTIME_CODE void make(const AsyncCopy& copy) {
    memcpy(copy.to, copy.from, copy.bytes - copy.zeros);
    memset(static_cast<char*>(copy.to) + (copy.bytes - copy.zeros), 0, copy.zeros);
}

}  // namespace

__attribute__((cold)) void wrong_size(size_t bytes, size_t zeros, const char* file, int line) {
    if (zeros > bytes) {
        report_at(file, line, "api", true,
                  "__pipeline_memcpy_async of %zu bytes, the last %zu of them zeros: there can't be "
                  "more zeros than bytes",
                  bytes, zeros);
    }
    report_at(file, line, "api", true,
              "__pipeline_memcpy_async of %zu bytes: it copies 4, 8 or 16 at a time", bytes);
    __builtin_trap();
}

LEETK_RUNTIME_CODE void start_copy(const AsyncCopy& copy) {
    bool fits;
    {
        Undisturbed here;
        used = true;
        Queue& queue = own();
        if (queue.next == queue.end) queue.next = queue.end = 0;
        fits = queue.end < queue.room || grow(queue);
        if (fits) queue.items[queue.end++] = {copy, queue.batches};
    }
    if (!fits) make(copy);
}

bool is_async(const void* to, const void* from) { return is_shared(to) && !is_shared(from); }

void end_batch() {
    Undisturbed here;
    ++own().batches;
}

bool due_copy(size_t left, AsyncCopy* copy) {
    Undisturbed here;
    Queue& queue = own();
    if (queue.next == queue.end) return false;
    const Item& item = queue.items[queue.next];
    if (item.batch + left >= queue.batches) return false;
    *copy = item.copy;
    ++queue.next;
    return true;
}

void finish_copies() {
    if (!used) return;
    for (int i = 0; i < scheduler.threads; ++i) {
        Queue& queue = queues[i];
        while (queue.next < queue.end) make(queue.items[queue.next++].copy);
    }
}

void forget_copies() {
    if (!used) return;
    used = false;
    for (int i = 0; i < scheduler.threads; ++i) queues[i].next = queues[i].end = 0;
}

}  // namespace leetk
