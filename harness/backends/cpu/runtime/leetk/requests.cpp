// From the traces of a warp's lanes to what the memory system of a GPU would be asked.
//
// A GPU runs the lanes of a warp together as far as they can: it always takes the lanes that are
// deepest in calls and furthest behind in the code, so that those that took another branch meet
// again behind it (the usual model of reconvergence; see "Dynamic warp formation", Fung and others
// 2007, on lowest-PC scheduling). The traces are replayed in that way, from one synchronisation to
// the next. Accesses of lanes that run one stretch of code together are one request.
//
// Global memory moves in sectors of 32 bytes. Shared memory has 32 banks of 4 bytes; a wavefront
// serves each bank once, so a request takes as many as the bank with the most distinct words, for
// accesses of 8 bytes by each half of the warp, of 16 bytes by each quarter. Loads in which
// neighbours share an address need half as many: Nsight Compute counts 2 for a float4 that is the
// same for each four lanes, and 4 for one that every fourth lane shares.
#include <string.h>

#include "leetk/runtime.h"
#include "leetk/scheduler.h"
#include "leetk/trace.h"

namespace leetk {
namespace {

constexpr int most_depth = 64;
constexpr unsigned most_counters = 4096;

struct Lane {
    const Event* at;
    const Event* end;
    unsigned run;  // the pc of the stretch that it is in or comes to
    int depth;
    unsigned long long paths[most_depth];  // of the calls it is in
};

struct Counter {
    const char* kernel;
    unsigned pc;
    EventKind kind;
    unsigned char shared, bytes, used, banks;
    unsigned long long requests, lanes, sectors, wavefronts, ideal;
    long long stride;  // stride_of the first request
};
Counter counters[most_counters];

struct Kernel {
    const char* name;
    Three grid, block;
    unsigned long long launches, blocks, traced;
    size_t dynamic;  // bytes of shared memory
};
constexpr int most_kernels = 256;
Kernel kernels[most_kernels];
int kernel_count;
unsigned counter_count;
Lane lanes[warp_lanes];

Counter* counter_of(const char* kernel, unsigned pc, EventKind kind, bool shared, unsigned bytes) {
    unsigned place = (pc * 2654435761u ^ unsigned(kind) << 7 ^ unsigned(shared) << 10) % most_counters;
    for (unsigned tried = 0; tried < most_counters; ++tried, place = (place + 1) % most_counters) {
        Counter& c = counters[place];
        if (!c.used) {
            if (counter_count > most_counters / 2) return nullptr;
            ++counter_count;
            c = {};
            c.kernel = kernel;
            c.pc = pc;
            c.kind = kind;
            c.shared = shared;
            c.bytes = (unsigned char)bytes;
            c.used = 1;
            return &c;
        }
        if (c.pc == pc && c.kernel == kernel && c.kind == kind && c.shared == shared) return &c;
    }
    return nullptr;
}

// Distinct values of `count` sorted-in-place numbers.
int distinct(unsigned long long* values, int count) {
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        bool seen = false;
        for (int j = 0; j < kept && !seen; ++j) seen = values[j] == values[i];
        if (!seen) values[kept++] = values[i];
    }
    return kept;
}

int sectors_of(const Event* const* group, int count) {
    unsigned long long sectors[2 * warp_lanes];
    int n = 0;
    for (int i = 0; i < count; ++i) {
        sectors[n++] = group[i]->address / 32;
        unsigned long long last = (group[i]->address + group[i]->bytes - 1) / 32;
        if (last != sectors[n - 1]) sectors[n++] = last;
    }
    return distinct(sectors, n);
}

// Of the lanes of one phase: how often the busiest bank has to serve another word.
int wavefronts_of_phase(const Event* const* group, const int* lane, int count, int low, int high) {
    uintptr_t first_word[32];
    unsigned served = 0;
    unsigned long long others[4 * warp_lanes];  // words that are not their bank's first
    int n = 0;
    for (int i = 0; i < count; ++i) {
        if (lane[i] < low || lane[i] >= high) continue;
        const uintptr_t begin = group[i]->address / 4;
        const uintptr_t end = (group[i]->address + group[i]->bytes - 1) / 4;
        for (uintptr_t word = begin; word <= end; ++word) {
            const unsigned bank = unsigned(word % 32);
            if (!(served >> bank & 1)) {
                served |= 1u << bank;
                first_word[bank] = word;
            } else if (first_word[bank] != word && n < 4 * warp_lanes) {
                others[n++] = word;
            }
        }
    }
    if (n == 0) return served ? 1 : 0;
    n = distinct(others, n);
    int most = 0, of_bank[32] = {};
    for (int i = 0; i < n; ++i) {
        int now = ++of_bank[others[i] % 32];
        if (now > most) most = now;
    }
    return most + 1;
}

// Whether each lane loads what the next but `apart` - 1 does, where that takes part.
bool pairs_share(const Event* const* group, const int* lane, int count, int apart) {
    uintptr_t address[warp_lanes] = {};
    for (int i = 0; i < count; ++i) address[lane[i]] = group[i]->address;
    for (int i = 0; i < count; ++i) {
        const uintptr_t other = address[lane[i] ^ apart];
        if (other && other != group[i]->address) return false;
    }
    return true;
}

void wavefronts_of(const Event* const* group, const int* lane, int count, unsigned bytes,
                   Counter& counter) {
    int phases = bytes <= 4 ? 1 : bytes <= 8 ? 2 : 4;
    if (phases > 1 && group[0]->kind == EventKind::load &&
        (pairs_share(group, lane, count, 1) || pairs_share(group, lane, count, 2))) {
        phases /= 2;
    }
    const int width = warp_lanes / phases;
    for (int phase = 0; phase < phases; ++phase) {
        int taken = wavefronts_of_phase(group, lane, count, phase * width, (phase + 1) * width);
        counter.wavefronts += unsigned(taken);
        counter.ideal += taken > 0;
    }
}

enum class Space { other, global, shared };
Space space_of(uintptr_t address) {
    const void* pointer = reinterpret_cast<const void*>(address);
    if (is_shared(pointer)) return Space::shared;
    return find_mapping(pointer) || is_symbol(pointer) ? Space::global : Space::other;
}

// The distance that three of four neighbouring lanes have: a warp may span two rows of a block.
long long stride_of(const Event* const* group, const int* lane, int count) {
    for (int first = 1; first < count && first <= 3; ++first) {
        const long long stride = (long long)(group[first]->address - group[first - 1]->address);
        int same = 0;
        for (int i = 1; i < count; ++i) {
            const long long apart = (long long)(group[i]->address - group[i - 1]->address);
            same += lane[i] == lane[i - 1] + 1 && apart == stride;
        }
        if (4 * same >= 3 * (count - 1)) return stride;
    }
    return 0;
}

// The distinct banks of a request.
unsigned char banks_of(const Event* const* group, int count) {
    unsigned touched = 0;
    for (int i = 0; i < count; ++i) {
        const uintptr_t last = (group[i]->address + group[i]->bytes - 1) / 4;
        for (uintptr_t word = group[i]->address / 4; word <= last; ++word) touched |= 1u << word % 32;
    }
    return (unsigned char)__builtin_popcount(touched);
}

void count_request(const Event* const* group, const int* lane, int count) {
    const Event& first = *group[0];
    Space space = space_of(first.address);
    if (space == Space::other) return;
    Counter* counter = counter_of(scheduler.site->kernel, first.pc, first.kind,
                                  space == Space::shared, first.bytes);
    if (!counter) return;
    if (counter->requests == 0) {
        counter->stride = stride_of(group, lane, count);
        if (space == Space::shared) counter->banks = banks_of(group, count);
    }
    ++counter->requests;
    counter->lanes += unsigned(count);
    if (space == Space::shared) {
        wavefronts_of(group, lane, count, first.bytes, *counter);
    } else {
        // Lanes that share a word need less than their bytes take side by side.
        const unsigned taken = unsigned(sectors_of(group, count));
        const unsigned side_by_side = (unsigned(count) * first.bytes + 31u) / 32;
        counter->sectors += taken;
        counter->ideal += taken < side_by_side ? taken : side_by_side;
    }
}

bool is_access(const Event& event) {
    return event.kind == EventKind::load || event.kind == EventKind::store ||
           event.kind == EventKind::atomic;
}

// Passes calls, returns and the head of the stretch that comes next.
void find_run(Lane& lane) {
    for (; lane.at != lane.end; ++lane.at) {
        const Event& event = *lane.at;
        if (event.kind == EventKind::enter) {
            if (lane.depth + 1 < most_depth) {
                unsigned long long path = lane.paths[lane.depth];
                lane.paths[++lane.depth] = (path + lane.run) * 0x9e3779b97f4a7c15ull;
            }
        } else if (event.kind == EventKind::leave) {
            if (lane.depth > 0) --lane.depth;
        } else {
            lane.run = event.pc;
            return;
        }
    }
}

bool together(const Lane& a, const Lane& b) {
    return a.depth == b.depth && a.run == b.run && a.paths[a.depth] == b.paths[b.depth];
}

// The lane that runs next; -1 when all have come to the end of the segment.
int next_lane(int count) {
    int best = -1;
    for (int i = 0; i < count; ++i) {
        const Lane& lane = lanes[i];
        if (lane.at == lane.end) continue;
        if (best < 0 || lane.depth > lanes[best].depth ||
            (lane.depth == lanes[best].depth && lane.run < lanes[best].run)) {
            best = i;
        }
    }
    return best;
}

// Runs one stretch of code in all lanes that are there.
void run_together(const int* members, int count) {
    for (int i = 0; i < count; ++i) {
        Lane& lane = lanes[members[i]];
        if (lane.at->kind == EventKind::block) ++lane.at;
    }
    for (;;) {
        const Event* group[warp_lanes];
        int lane[warp_lanes], n = 0;
        unsigned pc = 0;
        for (int i = 0; i < count; ++i) {
            Lane& member = lanes[members[i]];
            if (member.at == member.end || !is_access(*member.at)) continue;
            if (n == 0) pc = member.at->pc;
            if (member.at->pc != pc) continue;
            group[n] = member.at++;
            lane[n++] = members[i];
        }
        if (n == 0) break;
        count_request(group, lane, n);
    }
    for (int i = 0; i < count; ++i) find_run(lanes[members[i]]);
}

void replay_segment(int count) {
    for (int i = 0; i < count; ++i) find_run(lanes[i]);
    for (int best; (best = next_lane(count)) >= 0;) {
        int members[warp_lanes], n = 0;
        for (int i = 0; i < count; ++i) {
            if (lanes[i].at != lanes[i].end && together(lanes[i], lanes[best])) members[n++] = i;
        }
        run_together(members, n);
    }
}

}  // namespace

void count_requests(const Trace* traces, int count) {
    const Event* last[warp_lanes];
    for (int i = 0; i < count; ++i) {
        lanes[i] = {};
        lanes[i].at = traces[i].events;
        last[i] = traces[i].events + traces[i].count;
    }
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < count; ++i) {
            const Event* end = lanes[i].at;
            while (end != last[i] && end->kind != EventKind::sync) ++end;
            lanes[i].end = end;
        }
        replay_segment(count);
        for (int i = 0; i < count; ++i) {
            if (lanes[i].end == last[i]) continue;
            lanes[i].at = lanes[i].end + 1;  // behind the synchronisation
            more = true;
        }
    }
}

void note_launch() {
    const Scheduler& s = scheduler;
    Kernel* kernel = kernels;
    while (kernel != kernels + kernel_count && kernel->name != s.site->kernel) ++kernel;
    if (kernel == kernels + most_kernels) return;
    if (kernel == kernels + kernel_count) {
        ++kernel_count;
        *kernel = {s.site->kernel, grid_size, block_size, 0, 0, 0, s.config->shared};
    }
    const unsigned long long blocks = (unsigned long long)grid_size.x * grid_size.y * grid_size.z;
    ++kernel->launches;
    kernel->blocks += blocks;
    kernel->traced += blocks < most_traced ? blocks : most_traced;
}

void forget_requests() {
    kernel_count = 0;
    memset(counters, 0, sizeof counters);
    counter_count = 0;
}

}  // namespace leetk

#define LEETK_EXPORT extern "C" __attribute__((visibility("default"), used))

// Starts (1) or ends (0) tracing; starting forgets what was counted.
LEETK_EXPORT void leetk_trace(int on) {
    if (on) leetk::forget_requests();
    leetk::set_watching(on != 0, false);
}

// The counter with that number, which is below 4096: false for an empty place. `numbers` are pc,
// bytes of an access, what it is (0 a load, 1 a store, 2 an atomic), 1 for shared memory, requests,
// lanes, sectors, wavefronts, sectors or wavefronts of the best kind, the banks of the first request,
// bytes from lane to lane.
LEETK_EXPORT int leetk_counter(int place, const char** kernel, unsigned long long* numbers) {
    if (place < 0 || place >= int(leetk::most_counters)) return 0;
    const leetk::Counter& c = leetk::counters[place];
    if (!c.used) return 0;
    *kernel = c.kernel;
    const unsigned long long all[] = {
        c.pc,         c.bytes, (unsigned long long)c.kind - (unsigned long long)leetk::EventKind::load,
        c.shared,     c.requests, c.lanes, c.sectors,
        c.wavefronts, c.ideal,    c.banks, (unsigned long long)c.stride};
    memcpy(numbers, all, sizeof all);
    return 1;
}

// The kernel with that number, in the order of first launches: its name, or null. `numbers` are
// grid and block of the first launch, launches, blocks of all, how many of them were traced, and the
// first launch's bytes of dynamic shared memory.
LEETK_EXPORT const char* leetk_kernel(int number, unsigned long long* numbers) {
    if (number < 0 || number >= leetk::kernel_count) return nullptr;
    const leetk::Kernel& k = leetk::kernels[number];
    const unsigned long long all[] = {k.grid.x,  k.grid.y,   k.grid.z, k.block.x, k.block.y,
                                      k.block.z, k.launches, k.blocks, k.traced, k.dynamic};
    memcpy(numbers, all, sizeof all);
    return k.name;
}
