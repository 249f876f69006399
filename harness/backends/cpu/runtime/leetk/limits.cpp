// CUDA's limits of a launch, those of an H100 (CUDA Programming Guide, "Technical Specifications
// per Compute Capability", 9.0). A refused launch is not sticky: the kernel doesn't run, the error
// is returned by the next call that asks, and the program goes on.
//
// All of them give cudaErrorInvalidValue, as measured on an H200 with CUDA 13.0; older versions say
// cudaErrorInvalidConfiguration for some. Neither says which limit it was, so a report does.
#include <stdarg.h>
#include <stdio.h>

#include "leetk/runtime.h"
#include "leetk/scheduler.h"

namespace leetk {
namespace {

constexpr int multiprocessors = 132;
constexpr int threads_per_multiprocessor = 2048;
constexpr int most_blocks = 32;  // on one of them
constexpr size_t multiprocessor_shared = 228 * 1024;

struct Limit {
    const void* function;
    size_t bytes;
};
constexpr int most_limits = 256;
Limit limits[most_limits];
int limit_count;
size_t largest_limit = shared_default;

// What set_dynamic_limit said about a kernel. A launch that doesn't know its kernel's address gets
// the benefit of the doubt.
size_t dynamic_limit(const void* function) {
    if (!function) return largest_limit;
    for (int i = 0; i < limit_count; ++i) {
        if (limits[i].function == function) return limits[i].bytes;
    }
    return shared_default;
}

struct Refusal {
    char text[200] = "";

    __attribute__((format(printf, 2, 3))) bool because(const char* format, ...) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        return true;
    }
};

bool wrong_block(const dim3& b, Refusal& refusal) {
    unsigned long long threads = (unsigned long long)b.x * b.y * b.z;
    if (threads == 0) return refusal.because("a block with 0 threads in some dimension");
    if (b.x > most_threads || b.y > most_threads || b.z > 64) {
        return refusal.because("a block of (%u,%u,%u) threads; the most are (1024,1024,64)", b.x,
                               b.y, b.z);
    }
    if (threads <= most_threads) return false;
    return refusal.because("%llu threads a block; the most are %d", threads, most_threads);
}

bool wrong_grid(const dim3& g, Refusal& refusal) {
    if (g.x == 0 || g.y == 0 || g.z == 0) {
        return refusal.because("a grid with 0 blocks in some dimension");
    }
    if (g.x <= 0x7fffffffu && g.y <= 65535 && g.z <= 65535) return false;
    return refusal.because("a grid of (%u,%u,%u) blocks; the most are (2147483647,65535,65535)",
                           g.x, g.y, g.z);
}

// Static and dynamic memory together have to fit, too.
bool wrong_shared(const Config& config, Refusal& refusal) {
    size_t limit = dynamic_limit(config.function);
    if (config.shared > limit) {
        return refusal.because("%zu bytes of dynamic shared memory; the most are %zu%s",
                               config.shared, limit,
                               limit < shared_most ? " unless cudaFuncSetAttribute raises it" : "");
    }
    size_t both = limit > shared_default ? shared_most : shared_default;
    if (config.shared == 0 || config.shared + static_shared_total() <= both) return false;
    size_t fixed = config.function ? static_shared_of(config.function) : 0;
    if (config.shared + fixed <= both) return false;
    return refusal.because("%zu bytes of static and %zu of dynamic shared memory; together the "
                           "most are %zu", fixed, config.shared, both);
}

// A cooperative launch has to fit as a whole.
bool too_many_blocks(const Config& config, Refusal& refusal) {
    if (!config.cooperative) return false;
    unsigned long long blocks = (unsigned long long)config.grid.x * config.grid.y * config.grid.z;
    unsigned long long most = resident_limit(config);
    if (blocks <= most) return false;
    return refusal.because("a cooperative launch of %llu blocks; %llu of them fit the device",
                           blocks, most);
}

}  // namespace

int set_dynamic_limit(const void* function, size_t bytes) {
    if (bytes > shared_most) return invalid_value;
    if (bytes > largest_limit) largest_limit = bytes;
    for (int i = 0; i < limit_count; ++i) {
        if (limits[i].function == function) {
            limits[i].bytes = bytes;
            return 0;
        }
    }
    if (limit_count < most_limits) limits[limit_count++] = {function, bytes};
    return 0;
}

// Registers aren't known and limit nothing.
int blocks_per_multiprocessor(int threads, size_t shared, size_t capacity) {
    constexpr size_t reserved = 1024, unit = 128;
    if (threads > most_threads || shared > shared_most) return 0;
    const int in_warps = (threads + warp_lanes - 1) / warp_lanes * warp_lanes;
    int blocks = threads_per_multiprocessor / in_warps;
    if (blocks > most_blocks) blocks = most_blocks;
    const size_t each = (shared + reserved + unit - 1) / unit * unit;
    const size_t by_shared = capacity / each;
    return shared && by_shared < size_t(blocks) ? int(by_shared) : blocks;
}

unsigned long long resident_limit(const Config& config) {
    size_t fixed = config.function ? static_shared_of(config.function) : static_shared_total();
    int threads = int(config.block.x * config.block.y * config.block.z);
    return (unsigned long long)multiprocessors *
           unsigned(blocks_per_multiprocessor(threads, fixed + config.shared,
                                              multiprocessor_shared));
}

// Whether grid and block would make sense the other way round: a block that is too large has mostly
// whole warps, a number of blocks has them by chance.
bool look_exchanged(const Config& config) {
    auto product = [](const dim3& d) { return (unsigned long long)d.x * d.y * d.z; };
    Refusal unused;
    return wrong_block(config.block, unused) && !wrong_block(config.grid, unused) &&
           !wrong_grid(config.block, unused) && product(config.grid) % warp_lanes == 0 &&
           product(config.block) % warp_lanes != 0;
}

int check_launch(const Site& site, const Config& config) {
    Refusal refusal;
    int code = invalid_value;
    if (!is_stream(config.stream)) {
        refusal.because("a stream that doesn't exist, or no longer");
        code = invalid_handle;
    } else if (!wrong_block(config.block, refusal) && !wrong_grid(config.grid, refusal) &&
               !wrong_shared(config, refusal)) {
        if (!too_many_blocks(config, refusal)) return 0;
        code = cooperative_too_large;
    }
    report_at(site.file, site.line, "api", false, "the launch of %s is refused: %s%s",
              site.kernel, refusal.text,
              look_exchanged(config) ? "; are <<<grid, block>>> exchanged?" : "");
    return code;
}

}  // namespace leetk
