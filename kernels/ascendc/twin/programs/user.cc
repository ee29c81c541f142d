// Kernels of a user: they read slots on every core, while the host changes them, and
// one core takes memory for all.
#include "seqplan_ascend_alloc.h"

#include <cstdio>

namespace {

constexpr uint64_t shift = uint64_t(1) << 46, cores = 8, none = UINT64_MAX;

// Offsets in the memory: the control block, a slot table, a line to share, and a line
// for each core.
constexpr uint64_t control = 0, slots = 128, shared = 256, lines = 512;

alignas(128) uint64_t memory[256];

uint8_t *base_of(const uint64_t *args) { return reinterpret_cast<uint8_t *>(args[0]); }

uint64_t own_line() { return lines + AscendC::GetBlockIdx() * 64; }

// Writes what a core sees of slot 1 to its line.
void read_slot(const uint64_t *args)
{
    uint8_t *base = base_of(args);
    uint64_t n;
    void *placed = seqplan_ascend_placed(base, slots, 1, 4, &n);
    bool same = placed == seqplan_ascend_placed(base, slots, 1, 4, nullptr);
    seqplan::Window out(base);
    out.put(own_line(), placed == nullptr ? none : static_cast<uint64_t>(static_cast<uint8_t *>(placed) - base));
    out.put(own_line() + 8, n);
    out.put(own_line() + 16, same);
}

// Takes memory on one core and hands it to all.
void share(const uint64_t *args)
{
    uint8_t *base = base_of(args);
    if (AscendC::GetBlockIdx() == 0) {
        seqplan::Window word(base);
        word.put(shared, seqplan_alloc(base, control, args[1]));
    }
    AscendC::SyncAll();
    seqplan::Window word(base), out(base);
    out.put(own_line(), word.word(shared));
}

bool all_see(uint64_t index, uint64_t value, const char *what)
{
    for (uint64_t core = 0; core < cores; core++)
        if (memory[lines / 8 + core * 8 + index] != value) {
            std::fprintf(stderr, "core %d sees another %s\n", int(core), what);
            return false;
        }
    return true;
}

bool try_slot(uint64_t offset, uint64_t size, uint64_t n)
{
    uint64_t args[] = {reinterpret_cast<uint64_t>(memory) + shift};
    memory[slots / 8 + 2] = offset;
    memory[slots / 8 + 3] = size;
    twin_launch(read_slot, args, cores);
    return all_see(0, offset, "slot") && all_see(1, n, "number of elements") && all_see(2, 1, "slot the second time");
}

bool try_share(uint64_t size, uint64_t offset)
{
    uint64_t args[] = {reinterpret_cast<uint64_t>(memory) + shift, size};
    twin_launch(share, args, cores);
    return all_see(0, offset, "memory");
}

} // namespace

int main()
{
    uint64_t base = reinterpret_cast<uint64_t>(memory);
    twin_move(shift, base, base + sizeof memory);
    memory[SEQPLAN_CONTROL_AT_MAGIC] = SEQPLAN_MAGIC;
    memory[SEQPLAN_CONTROL_AT_ARENA_START] = 4096;
    memory[SEQPLAN_CONTROL_AT_ARENA_CAPACITY] = 64 * 10;
    memory[SEQPLAN_CONTROL_AT_ARENA_ALIGN] = 64;
    for (uint64_t i = 0; i < 10; i++)
        if (!try_slot(128 + i, 16 + 4 * i, 4 + i) || !try_slot(none, 0, 0) || !try_slot(none, 40, 0) ||
            !try_slot(0, 3, 0) || !try_share(1 + i, 4096 + 64 * i))
            return 1;
    return try_share(1, none) ? 0 : 1;
}
