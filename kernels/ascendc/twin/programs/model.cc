// What the model does to kernels that do not look after their cache. With an argument:
// a wrong use, which must end the program.
#include "kernel_operator.h"

#include <cstdio>
#include <cstring>
#include <sys/wait.h>

namespace {

constexpr uint64_t shift = uint64_t(1) << 46, cores = 8;

alignas(64) uint64_t memory[64];

AscendC::GlobalTensor<uint64_t> line(const uint64_t *args, uint64_t index)
{
    AscendC::GlobalTensor<uint64_t> t;
    t.SetGlobalBuffer(reinterpret_cast<uint64_t *>(args[0]) + index * 8);
    return t;
}

void sync(const AscendC::GlobalTensor<uint64_t> &t)
{
    AscendC::DataCacheCleanAndInvalid<uint64_t, AscendC::CacheLine::SINGLE_CACHE_LINE,
                                      AscendC::DcciDst::CACHELINE_OUT>(t);
}

void write(const uint64_t *args) { line(args, 0).SetValue(0, args[1]); }

uint64_t seen[cores]; // by each core

void read(const uint64_t *args) { seen[AscendC::GetBlockIdx()] = line(args, 0).GetValue(0); }

// Every core adds to its word; all words lie in one line.
void crowd(const uint64_t *args)
{
    AscendC::GlobalTensor<uint64_t> t = line(args, 0);
    for (int i = 0; i < 4; i++) {
        sync(t);
        t.SetValue(AscendC::GetBlockIdx(), t.GetValue(AscendC::GetBlockIdx()) + 1);
        sync(t);
    }
}

// Each core writes a line, all wait, and each reads that of another.
void meet(const uint64_t *args)
{
    uint64_t own = AscendC::GetBlockIdx(), other = (own + 1) % cores;
    for (uint64_t i = 0; i < 3; i++) {
        line(args, own).SetValue(0, args[1] + own + i);
        sync(line(args, own));
        AscendC::SyncAll();
        sync(line(args, other));
        if (line(args, other).GetValue(0) == args[1] + other + i)
            seen[own]++;
        AscendC::SyncAll();
    }
}

void apart(const uint64_t *)
{
    if (AscendC::GetBlockIdx() != 0)
        AscendC::SyncAll();
}

void unaligned(const uint64_t *args) { twin_load(args[0] + 4, 8); }
void half_line(const uint64_t *args) { twin_sync(args[0] + 8); }
void outside(const uint64_t *args) { twin_load(args[0] + sizeof memory, 8); }
void endless(const uint64_t *args)
{
    for (;;)
        twin_load(args[0], 8);
}
void around(const uint64_t *args) { *reinterpret_cast<volatile uint64_t *>(args[0]) = 1; }

uint64_t args[] = {reinterpret_cast<uint64_t>(memory) + shift, 0};

bool check(bool ok, const char *what)
{
    if (!ok)
        std::fprintf(stderr, "%s\n", what);
    return ok;
}

bool model()
{
    uint64_t lost = 0, late = 0, stale = 0, fresh = 0;
    for (uint64_t i = 1; i <= 200; i++) {
        args[1] = i;
        memory[0] = 0;
        twin_launch(write, args, 1);
        if (!check(memory[0] == 0, "the host sees what was not written back"))
            return false;
        twin_launch(unaligned, args, 0); // nothing, but the start of a launch
        (memory[0] == i ? late : lost)++;
    }
    for (uint64_t i = 1; i <= 200; i++) {
        memory[0] = i;
        twin_launch(read, args, cores);
        for (uint64_t v : seen)
            (v == i ? fresh : stale)++;
    }
    std::memset(memory, 0, sizeof memory);
    twin_launch(crowd, args, cores);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < 8; i++)
        sum += memory[i];
    std::memset(seen, 0, sizeof seen);
    for (args[1] = 1; args[1] <= 20; args[1]++)
        twin_launch(meet, args, cores);
    for (uint64_t n : seen)
        if (!check(n == 60, "a barrier does not hold"))
            return false;
    return check(lost > 0 && late > 0, "dirty lines are always lost, or never") &&
           check(stale > 0 && fresh > 0, "lines are never stale, or always") &&
           check(sum < 4 * cores, "cores that share a line do not lose anything");
}

} // namespace

int main(int argc, char **argv)
{
    uint64_t base = reinterpret_cast<uint64_t>(memory);
    twin_move(shift, base, base + sizeof memory);
    if (argc < 2)
        return model() ? 0 : 1;
    const struct {
        const char *name;
        twin_kernel kernel;
    } uses[] = {{"apart", apart},     {"unaligned", unaligned}, {"half_line", half_line},
                {"outside", outside}, {"endless", endless},     {"around", around}};
    for (auto &use : uses)
        if (std::strcmp(use.name, argv[1]) == 0) {
            twin_launch(use.kernel, args, use.kernel == apart ? 2 : 1);
            return 0; // and nothing happened
        }
    return 0;
}
