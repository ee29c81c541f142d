// seqplan_alloc on eight cores at once, on an architecture with atomics.
#include "seqplan_ascend_alloc.h"

#include <algorithm>
#include <cstdio>
#include <thread>
#include <vector>

#ifndef SEQPLAN_ASCEND_ATOMICS
#error "this architecture has no atomics"
#endif

namespace {

constexpr uint64_t cores = 8, each = 10000, align = 64, shift = uint64_t(1) << 46;

struct Taken {
    uint64_t offset, rounded;
};

uint64_t size_of(uint64_t core, uint64_t i) { return (core * each + i) * 2654435761u % 300; }

uint64_t rounded(uint64_t size) { return (size + align - 1) / align * align; }

bool check(bool ok, const char *what)
{
    if (!ok)
        std::fprintf(stderr, "%s\n", what);
    return ok;
}

// Takes memory on all cores until there is none, and looks at what they got.
bool run(uint64_t start, uint64_t capacity)
{
    alignas(128) static seqplan_control control;
    control = seqplan_control{};
    control.magic = SEQPLAN_MAGIC;
    control.arena_start = start;
    control.arena_capacity = capacity;
    control.arena_align = align;
    control.first_failed = SEQPLAN_NO_SLOT;
    uint64_t base = reinterpret_cast<uint64_t>(&control), failed = 0, wanted = 0;
    twin_move(shift, base, base + sizeof control);
    std::vector<Taken> taken[cores];
    std::vector<std::thread> threads;
    for (uint64_t core = 0; core < cores; core++)
        threads.emplace_back([&, core] {
            twin_become_core();
            for (uint64_t i = 0; i < each; i++) {
                uint64_t size = size_of(core, i);
                uint64_t offset = seqplan_alloc(reinterpret_cast<void *>(base + shift), 0, size);
                taken[core].push_back({offset, rounded(size)});
            }
        });
    for (auto &thread : threads)
        thread.join();
    std::vector<Taken> all;
    for (auto &part : taken)
        for (Taken t : part) {
            wanted += t.rounded;
            if (t.offset == SEQPLAN_NOT_PLACED)
                failed++;
            else
                all.push_back(t);
        }
    std::sort(all.begin(), all.end(), [](Taken a, Taken b) {
        return a.offset != b.offset ? a.offset < b.offset : a.rounded < b.rounded;
    });
    uint64_t end = start;
    for (Taken t : all) {
        if (!check(t.offset == end, "memory lies over other memory, or a piece is lost"))
            return false;
        end += t.rounded;
    }
    bool fits = wanted <= capacity;
    return check(end - start <= capacity && control.next == end - start, "the cursor") &&
           check(control.high == control.next, "the high-water mark") &&
           check(control.failed == failed && (failed == 0) == fits, "the number of failures") &&
           check(control.code == (fits ? SEQPLAN_CODE_OK : SEQPLAN_CODE_EXHAUSTED), "the code") &&
           check(control.first_failed == SEQPLAN_NO_SLOT, "the first failure") &&
           check(fits ? control.failed_bytes == 0 && control.wanted == wanted
                      : control.failed_bytes > capacity - control.next && control.wanted <= wanted,
                 "what was wanted");
}

} // namespace

int main()
{
    const uint64_t roomy = cores * each * 320, tight = 1 << 20;
    for (int i = 0; i < 3; i++)
        if (!run(4096, roomy) || !run(4096, tight) || !run(4096, tight - 1) || !run(0 - 2 * align - tight, tight) ||
            !run(0, 0))
            return 1;
    return 0;
}
