// How much static shared memory each function of the solution declares, from the symbol table of
// the library's file: a function's static variables carry its name in theirs (Itanium C++ ABI,
// 5.1.8: _ZZ <function> E <variable>). nvcc's assembler refuses a kernel with more than 48 KiB, and
// a launch counts static and dynamic memory together.
//
// Variables of __device__ functions that a kernel calls are not counted to the kernel.
//
// The same table names the program's variables, and its tables of virtual functions ("_ZTV").
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "leetk/runtime.h"

#if defined(__linux__)
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace leetk {

#if defined(__linux__)
namespace {

using Header = ElfW(Ehdr);
using Section = ElfW(Shdr);
using Symbol = ElfW(Sym);

// The file, mapped, and its full symbol table; empty when the file is stripped.
class Symbols {
public:
    explicit Symbols(const char* path) {
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0) return;
        struct stat status;
        if (fstat(fd, &status) == 0 && status.st_size > (off_t)sizeof(Header)) {
            bytes = size_t(status.st_size);
            void* got = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
            if (got != MAP_FAILED) file = static_cast<const char*>(got);
        }
        close(fd);
        if (file) find();
    }
    ~Symbols() {
        if (file) munmap(const_cast<char*>(file), bytes);
    }
    Symbols(const Symbols&) = delete;
    Symbols& operator=(const Symbols&) = delete;

    const char* name(const Symbol& symbol) const { return names + symbol.st_name; }

    const Symbol* begin = nullptr;
    const Symbol* end = nullptr;

private:
    void find() {
        const Header& header = *reinterpret_cast<const Header*>(file);
        if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return;
        if (header.e_shoff + header.e_shnum * sizeof(Section) > bytes) return;
        const Section* sections = reinterpret_cast<const Section*>(file + header.e_shoff);
        for (int i = 0; i < header.e_shnum; ++i) {
            const Section& section = sections[i];
            if (section.sh_type != SHT_SYMTAB || section.sh_link >= header.e_shnum) continue;
            if (section.sh_offset + section.sh_size > bytes) continue;
            begin = reinterpret_cast<const Symbol*>(file + section.sh_offset);
            end = begin + section.sh_size / sizeof(Symbol);
            names = file + sections[section.sh_link].sh_offset;
        }
    }

    const char* file = nullptr;
    const char* names = nullptr;
    size_t bytes = 0;
};

bool is_variable(const Symbol& symbol) { return (symbol.st_info & 15) == STT_TLS; }

// The length of "_ZZ<function>E" in a local variable's name; 0 for another name.
size_t function_length(const char* name) {
    if (strncmp(name, "_ZZ", 3) != 0) return 0;
    size_t length = strlen(name);
    for (size_t at = length; at > 3; --at) {
        if (name[at - 1] != 'E') continue;
        char* end;
        unsigned long digits = strtoul(name + at, &end, 10);
        if (end != name + at && digits > 0 && digits <= strlen(end)) return at;
    }
    return 0;
}

size_t sum_of(const Symbols& symbols, const char* prefix, size_t length) {
    size_t sum = 0;
    for (const Symbol* s = symbols.begin; s != symbols.end; ++s) {
        if (is_variable(*s) && strncmp(symbols.name(*s), prefix, length) == 0) sum += s->st_size;
    }
    return sum;
}

// The function's own name, without namespaces and parameters, out of "_ZZ<function>E".
void plain_name(const char* mangled, char* name, size_t room) {
    const char* at = mangled + 3;
    if (*at == 'L') ++at;
    if (*at == 'N') ++at;
    const char* word = at;
    unsigned long length = 0;
    while (*at >= '0' && *at <= '9') {
        char* end;
        length = strtoul(at, &end, 10);
        word = end;
        at = end + length;
    }
    snprintf(name, room, "%.*s", int(length), word);
}

// The last name in a mangled one: "_ZZ6kernelPfE4tile" and "_ZL4tile" are "tile".
void last_name(const char* mangled, char* name, size_t room) {
    const char* found = mangled;
    int length = int(strlen(mangled));
    for (const char* at = mangled; strncmp(mangled, "_Z", 2) == 0 && *at; ++at) {
        if (*at < '0' || *at > '9') continue;
        char* end;
        unsigned long digits = strtoul(at, &end, 10);
        if (digits == 0 || digits > strlen(end)) {
            at = end - 1;
            continue;
        }
        found = end;
        length = int(digits);
        at = end + digits - 1;
    }
    snprintf(name, room, "%.*s", length, found);
}

}  // namespace

bool variable_at(uintptr_t address, bool shared, Variable* variable) {
    Symbols symbols(library().path);
    const Library& own = library();
    const uintptr_t start = shared ? reinterpret_cast<uintptr_t>(own.tls) : own.base;
    for (const Symbol* s = symbols.begin; s != symbols.end; ++s) {
        const int type = s->st_info & 15;
        if (type != (shared ? STT_TLS : STT_OBJECT)) continue;
        const uintptr_t begin = start + s->st_value;
        if (address < begin || address >= begin + s->st_size) continue;
        last_name(symbols.name(*s), variable->name, sizeof variable->name);
        const char* mangled = symbols.name(*s);
        variable->own = strncmp(mangled, "_ZGV", 4) == 0 || strstr(mangled, "N5leetk") != nullptr;
        variable->begin = begin;
        variable->bytes = s->st_size;
        return true;
    }
    return false;
}

int find_tables(Table* tables, int most) {
    ensure_open();
    Symbols symbols(library().path);
    int count = 0;
    for (const Symbol* s = symbols.begin; s != symbols.end && count < most; ++s) {
        if ((s->st_info & 15) != STT_OBJECT || s->st_shndx == SHN_UNDEF) continue;
        if (strncmp(symbols.name(*s), "_ZTV", 4) != 0) continue;
        tables[count++] = {library().base + s->st_value, s->st_size};
    }
    return count;
}

size_t static_shared_of(const void* function) {
    ensure_open();
    Symbols symbols(library().path);
    uintptr_t address = reinterpret_cast<uintptr_t>(function) - library().base;
    for (const Symbol* s = symbols.begin; s != symbols.end; ++s) {
        if ((s->st_info & 15) != STT_FUNC || s->st_value != address) continue;
        const char* name = symbols.name(*s);
        char prefix[1024];
        int length = strncmp(name, "_Z", 2) == 0
                         ? snprintf(prefix, sizeof prefix, "_ZZ%sE", name + 2)
                         : snprintf(prefix, sizeof prefix, "_ZZ%zu%sE", strlen(name), name);
        if (length < 0 || size_t(length) >= sizeof prefix) continue;
        if (size_t sum = sum_of(symbols, prefix, size_t(length))) return sum;
    }
    return 0;
}

bool too_much_static_shared(char* message, size_t room) {
    if (static_shared_total() <= shared_default) return false;
    Symbols symbols(library().path);
    for (const Symbol* s = symbols.begin; s != symbols.end; ++s) {
        if (!is_variable(*s)) continue;
        const char* name = symbols.name(*s);
        size_t length = function_length(name);
        if (length == 0) continue;
        size_t sum = sum_of(symbols, name, length);
        if (sum <= shared_default) continue;
        char function[128];
        plain_name(name, function, sizeof function);
        snprintf(message, room,
                 "%s uses too much shared data (%zu bytes of __shared__ variables, %zu at most); "
                 "more needs extern __shared__ and cudaFuncSetAttribute",
                 function, sum, shared_default);
        return true;
    }
    return false;
}

#else

int find_tables(Table*, int) { return 0; }
size_t static_shared_of(const void*) { return 0; }
bool variable_at(uintptr_t, bool, Variable*) { return false; }
bool too_much_static_shared(char*, size_t) { return false; }

#endif

}  // namespace leetk
