// Reports to the judge: JSON lines in the report area, as harness/wire.py describes it. Where there
// is no such area (a program of its own) they go to stderr.
//
// Written by signal handlers too, so: no allocation, bounded buffers, and a lock that is given up
// on rather than waited for.
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "leetk/runtime.h"
#include "leetk/scheduler.h"
#include "leetk/watch.h"

namespace leetk {
namespace {

unsigned char* area;
size_t area_bytes;
bool busy;

constexpr size_t kept_for_fatal = 4096;
constexpr size_t line_bytes = 3072;

// Not inlined: it would cost each build time for code that seldom runs.
#define LEETK_COLD __attribute__((noinline))

class Line {
public:
    LEETK_COLD void add(const char* text) {
        while (*text && used < sizeof buffer) buffer[used++] = *text++;
    }
    LEETK_COLD void text(const char* key, const char* value, size_t most) {
        begin(key);
        add("\"");
        size_t end = used + most;
        for (; *value && used < end; ++value) escape((unsigned char)*value);
        add("\"");
    }
    LEETK_COLD void number(const char* key, long long value) {
        char digits[32];
        snprintf(digits, sizeof digits, "%lld", value);
        begin(key);
        add(digits);
    }
    LEETK_COLD void triple(const char* key, unsigned x, unsigned y, unsigned z) {
        char digits[64];
        snprintf(digits, sizeof digits, "[%u,%u,%u]", x, y, z);
        begin(key);
        add(digits);
    }
    void flag(const char* key, bool value) {
        begin(key);
        add(value ? "true" : "false");
    }

    char buffer[line_bytes];
    size_t used = 0;

private:
    LEETK_COLD void begin(const char* key) {
        add(used ? ",\"" : "{\"");
        add(key);
        add("\":");
    }
    LEETK_COLD void escape(unsigned char c) {
        char code[8];
        if (c == '"' || c == '\\') {
            snprintf(code, sizeof code, "\\%c", c);
        } else if (c < 0x20 || c == 0x7f) {
            snprintf(code, sizeof code, "\\u%04x", c);
        } else {
            snprintf(code, sizeof code, "%c", c);
        }
        add(code);
    }
};

void append(const Line& line, bool fatal) {
    if (__atomic_exchange_n(&busy, true, __ATOMIC_ACQUIRE) && !fatal) return;
    // Helpers (team.cpp) write, too, so the room is taken first.
    unsigned* count = reinterpret_cast<unsigned*>(area);
    unsigned used = __atomic_load_n(count, __ATOMIC_RELAXED);
    size_t room = area_bytes - (fatal ? 0 : kept_for_fatal);
    while (sizeof used + used + line.used <= room) {
        unsigned after = used + unsigned(line.used);
        if (!__atomic_compare_exchange_n(count, &used, after, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED)) {
            continue;
        }
        memcpy(area + sizeof used + used, line.buffer, line.used);
        break;
    }
    __atomic_store_n(&busy, false, __ATOMIC_RELEASE);
}

void end_process() {
    signal(SIGABRT, SIG_DFL);
    abort();
}

void say(const char* kind, bool fatal, const char* file, int line, const char* format,
         va_list arguments) {
    char message[1024];
    vsnprintf(message, sizeof message, format, arguments);
    Fault fault;
    fault.kind = kind;
    fault.fatal = fatal;
    fault.file = file;
    fault.line = line;
    write_report(fault, message);
    if (fatal) end_process();
}

}  // namespace

const char* base_name(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void open_reports(void* at, long long bytes) {
    area = static_cast<unsigned char*>(at);
    area_bytes = bytes > 0 ? size_t(bytes) : 0;
    if (area_bytes < 2 * kept_for_fatal) area = nullptr;
}

void write_report(const Fault& fault, const char* message) {
    if (fault.fatal && checking) {
        checking = false;
        report_findings();  // what came before the end
    }
    const Scheduler& s = scheduler;
    bool kernel = in_kernel();
    if (!area) {
        fprintf(stderr, "leetk: %s: %s", fault.kind, message);
        if (fault.line > 0) fprintf(stderr, " [%s:%d]", fault.file, fault.line);
        if (kernel) {
            const uint3& t = s.current->index;
            fprintf(stderr, " [kernel %s, block (%u,%u,%u), thread (%u,%u,%u)]", s.site->kernel,
                    block_index.x, block_index.y, block_index.z, t.x, t.y, t.z);
        }
        fputc('\n', stderr);
        return;
    }
    Line line;
    line.text("kind", fault.kind, 32);
    line.flag("fatal", fault.fatal);
    line.text("message", message, 1200);
    if (fault.pc && in_code(fault.pc)) line.number("pc", (long long)(fault.pc - library().base));
    if (fault.line > 0) {
        line.text("file", fault.file, 600);
        line.number("line", fault.line);
    }
    if (*fault.buffer) {
        line.text("buffer", fault.buffer, 100);
        line.number("byte", fault.byte);
        line.number("size", fault.size);
    }
    if (fault.bytes) line.number("bytes", fault.bytes);
    if (fault.other) line.number("other", (long long)(fault.other - library().base));
    if (fault.idle) line.flag("idle", true);
    if (fault.lost) line.flag("lost", true);
    if (fault.doubtful) line.flag("doubtful", true);
    if (fault.plain_update) line.flag("plain_update", true);
    if (fault.benign) line.flag("benign", true);
    if (fault.read) line.flag("read", true);
    if (fault.stale) line.flag("stale", true);
    if (*fault.before) {
        line.text("before", fault.before, 40);
        line.text("after", fault.after, 40);
    }
    if (fault.weight) line.number("weight", fault.weight);
    if (fault.kernel) {
        const unsigned *t = fault.thread, *b = fault.block;
        line.text("kernel", fault.kernel, 600);
        line.triple("thread", t[0], t[1], t[2]);
        line.triple("block", b[0], b[1], b[2]);
    } else if (kernel) {
        const uint3& t = s.current->index;
        line.text("kernel", s.site->kernel, 600);
        line.triple("thread", t.x, t.y, t.z);
        line.triple("block", block_index.x, block_index.y, block_index.z);
    }
    line.add("}\n");
    append(line, fault.fatal);
}

void report(const char* kind, bool fatal, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(kind, fatal, "", 0, format, arguments);
    va_end(arguments);
}

void report_at(const char* file, int line, const char* kind, bool fatal, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(kind, fatal, file, line, format, arguments);
    va_end(arguments);
}

void fail(const Fault& fault, const char* format, ...) {
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    write_report(fault, message);
    signal(SIGABRT, SIG_DFL);
    abort();
}

}  // namespace leetk
