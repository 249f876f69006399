// The pattern in memory that nobody has written yet.
//
// A word that is a signalling NaN as a float32, so that arithmetic with it shows (it turns quiet)
// while a plain copy keeps it, and large as an integer. There are two variants: a result that
// depends on unwritten memory differs between a run with one and a run with the other.
//
// Large fresh memory is mapped from one small poisoned file over and over, copy on write: pages
// that are never touched cost nothing, as on a GPU.
#include <sys/mman.h>
#include <unistd.h>

#include "leetk/runtime.h"

namespace leetk {
namespace {

constexpr unsigned words[2] = {0x7fa5a5a5u, 0x7f965a69u};
int variant;

typedef unsigned long long Pairs __attribute__((vector_size(32)));

constexpr size_t large = 8 << 20;
constexpr size_t chunk = 2 << 20;
constexpr size_t too_large = size_t(16) << 30;  // the system's limit on mappings is near
constexpr size_t edge = 64 << 10;

#if defined(__linux__)
int files[2] = {-1, -1};

int poison_file() {
    int& file = files[variant];
    if (file >= 0) return file;
    file = memfd_create("leetk-poison", MFD_CLOEXEC);
    if (file < 0) return -1;
    void* view = MAP_FAILED;
    if (ftruncate(file, chunk) == 0) {
        view = mmap(nullptr, chunk, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (view == MAP_FAILED) {
        close(file);
        return file = -1;
    }
    poison(view, chunk);
    munmap(view, chunk);
    return file;
}
#endif

// Chunk by chunk; returns how many bytes it covered.
size_t map_poison(char* begin, size_t bytes, int protection) {
    size_t done = 0;
#if defined(__linux__)
    int file = poison_file();
    while (file >= 0 && bytes - done >= chunk) {
        void* got = mmap(begin + done, chunk, protection, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE,
                         file, 0);
        if (got == MAP_FAILED) break;
        done += chunk;
    }
#else
    (void)begin, (void)bytes, (void)protection;
#endif
    return done;
}

}  // namespace

void set_poison(int chosen) { variant = chosen & 1; }

unsigned poison_word() { return words[variant]; }

// Each byte depends on its address alone, so that parts can be filled and checked by themselves.
void poison(void* begin, size_t bytes) {
    const unsigned word = words[variant];
    char* at = static_cast<char*>(begin);
    char* end = at + bytes;
    for (; at != end && reinterpret_cast<uintptr_t>(at) % 8; ++at) {
        *at = char(word >> (reinterpret_cast<uintptr_t>(at) % 4 * 8));
    }
    const unsigned long long pair = (unsigned long long)word << 32 | word;
    const Pairs pairs = {pair, pair, pair, pair};
    for (; end - at >= 64; at += 64) {
        __builtin_memcpy(at, &pairs, 32);
        __builtin_memcpy(at + 32, &pairs, 32);
    }
    for (; end - at >= 8; at += 8) __builtin_memcpy(at, &pair, 8);
    for (; at != end; ++at) *at = char(word >> (reinterpret_cast<uintptr_t>(at) % 4 * 8));
}

bool is_poison(const char* begin, size_t bytes, unsigned word) {
    for (const char* at = begin; at != begin + bytes; ++at) {
        if (*at != char(word >> (reinterpret_cast<uintptr_t>(at) % 4 * 8))) return false;
    }
    return true;
}

static void poison_open(char* begin, size_t bytes, int protection) {
    mprotect(begin, bytes, PROT_READ | PROT_WRITE);
    poison(begin, bytes);
    mprotect(begin, bytes, protection);
}

void poison_fresh(char* begin, size_t bytes, int protection, bool shared) {
    bool mapped = bytes >= large && bytes < too_large && !shared;
    size_t done = mapped ? map_poison(begin, bytes, protection) : 0;
    if (bytes >= too_large) {
        // Its ends alone: there are the red zones.
        poison_open(begin, edge, protection);
        poison_open(begin + bytes - edge, edge, protection);
    } else {
        poison_open(begin + done, bytes - done, protection);
    }
}

}  // namespace leetk
