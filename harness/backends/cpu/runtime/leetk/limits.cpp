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

int check_launch(const Site& site, const Config& config) {
    Refusal refusal;
    if (!wrong_block(config.block, refusal) && !wrong_grid(config.grid, refusal) &&
        !wrong_shared(config, refusal)) {
        return 0;
    }
    report_at(site.file, site.line, "api", false, "the launch of %s is refused: %s", site.kernel,
              refusal.text);
    return invalid_value;
}

}  // namespace leetk
