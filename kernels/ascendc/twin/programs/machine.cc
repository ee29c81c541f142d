#include "machine.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ucontext.h>
#include <unordered_map>
#include <vector>

namespace {

constexpr uint64_t line_size = 64;
constexpr uint64_t most_accesses = uint64_t(1) << 24; // of one launch
constexpr size_t stack_size = 256 << 10;

[[noreturn]] void wrong(const char *what, uint64_t value)
{
    std::fprintf(stderr, "%s: %#llx\n", what, static_cast<unsigned long long>(value));
    std::fflush(stdout);
    std::_Exit(3);
}

// What kernels can reach, and where.
uint64_t shift, from, to;

uint8_t *memory(uint64_t address) { return reinterpret_cast<uint8_t *>(address - shift); }

// Words are copied atomically: other threads may use atomics on them.
void copy_line(uint8_t *dst, const uint8_t *src)
{
    for (uint64_t i = 0; i < line_size; i += 8) {
        uint64_t word = __atomic_load_n(reinterpret_cast<const uint64_t *>(src + i), __ATOMIC_RELAXED);
        __atomic_store_n(reinterpret_cast<uint64_t *>(dst + i), word, __ATOMIC_RELAXED);
    }
}

struct Line {
    alignas(8) uint8_t bytes[line_size];
    bool dirty = false;
};

// A deterministic source of numbers.
struct Random {
    uint64_t state = 0;

    uint64_t below(uint64_t n)
    {
        state += 0x9E3779B97F4A7C15u;
        uint64_t z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9u;
        return ((z ^ z >> 27) * 0x94D049BB133111EBu >> 33) % n;
    }
};

class Core {
public:
    Line &line(uint64_t address)
    {
        uint64_t at = address / line_size * line_size;
        if (last_ != nullptr && last_at_ == at)
            return *last_;
        auto found = lines_.find(at);
        if (found == lines_.end()) {
            found = lines_.emplace(at, Line{}).first;
            copy_line(found->second.bytes, memory(at));
        }
        last_at_ = at;
        last_ = &found->second;
        return *last_;
    }

    void sync(uint64_t at)
    {
        auto found = lines_.find(at);
        if (found == lines_.end())
            return;
        if (found->second.dirty)
            copy_line(memory(at), found->second.bytes);
        lines_.erase(found);
        last_ = nullptr;
    }

    // Gives up some line.
    void evict(Random &random)
    {
        if (lines_.empty())
            return;
        size_t bucket = random.below(lines_.bucket_count());
        if (lines_.begin(bucket) != lines_.end(bucket))
            sync(lines_.begin(bucket)->first);
    }

    // What happens to dirty lines between launches.
    void settle(Random &random, bool may_write)
    {
        std::vector<uint64_t> dirty;
        for (auto &line : lines_)
            if (line.second.dirty)
                dirty.push_back(line.first);
        for (uint64_t at : dirty) {
            if (!may_write || random.below(2) == 0)
                lines_[at].dirty = false; // and so lost
            sync(at);
        }
    }

private:
    std::unordered_map<uint64_t, Line> lines_;
    uint64_t last_at_ = 0;
    Line *last_ = nullptr;
};

struct Block {
    ucontext_t context;
    std::unique_ptr<char[]> stack{new char[stack_size]};
    int64_t index = 0;
    Core *core = nullptr;
    bool done = true, waits = false;
    bool stalls = false;       // goes on when no other block can
    uint64_t stall_after = 0;  // stores; none if 0
};

struct Launch {
    std::vector<std::unique_ptr<Core>> cores;
    std::vector<std::unique_ptr<Block>> blocks;
    ucontext_t scheduler;
    twin_kernel kernel = nullptr;
    const uint64_t *args = nullptr;
    uint32_t size = 0, running = 0;
    uint64_t number = 0, accesses = 0;
    Random random;
};

Launch launch;
thread_local Block *current;

void yield()
{
    swapcontext(&current->context, &launch.scheduler);
}

void run_block()
{
    launch.kernel(launch.args);
    current->done = true;
    launch.running--;
    yield();
}

// Called before each access.
void access(uint64_t address, unsigned size)
{
    if (address % size != 0)
        wrong("address is not aligned", address);
    if (address / line_size == 0 || (to != 0 && (address - shift < from || address - shift > to - size)))
        wrong("address is outside of the memory", address);
    if (launch.size == 0)
        return; // a thread of its own
    if (++launch.accesses > most_accesses)
        wrong("the launch does not end", launch.number);
    if (launch.running > 1 && launch.random.below(4) == 0)
        yield();
    if (launch.random.below(64) == 0)
        current->core->evict(launch.random);
}

} // namespace

uint64_t twin_load(uint64_t address, unsigned size)
{
    access(address, size);
    uint64_t v = 0;
    std::memcpy(&v, current->core->line(address).bytes + address % line_size, size);
    return v;
}

void twin_store(uint64_t address, uint64_t value, unsigned size)
{
    access(address, size);
    Line &line = current->core->line(address);
    std::memcpy(line.bytes + address % line_size, &value, size);
    line.dirty = true;
    if (current->stall_after > 0 && --current->stall_after == 0) {
        current->stalls = true;
        yield();
    }
}

void twin_sync(uint64_t address)
{
    if (address % line_size != 0)
        wrong("no address of a line", address);
    if (launch.running > 1 && launch.random.below(2) == 0)
        yield();
    current->core->sync(address);
}

int64_t twin_block() { return current->index; }
int64_t twin_blocks() { return launch.size; }

void twin_barrier()
{
    current->waits = true;
    yield();
}

uint64_t *twin_atomic(uint64_t address)
{
    access(address, 8);
    return reinterpret_cast<uint64_t *>(memory(address));
}

uint64_t twin_atomic_add(uint64_t *word, uint64_t v) { return __atomic_fetch_add(word, v, __ATOMIC_SEQ_CST); }
uint64_t twin_atomic_exch(uint64_t *word, uint64_t v) { return __atomic_exchange_n(word, v, __ATOMIC_SEQ_CST); }

uint64_t twin_atomic_cas(uint64_t *word, uint64_t old, uint64_t v)
{
    __atomic_compare_exchange_n(word, &old, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return old;
}

uint64_t twin_atomic_max(uint64_t *word, uint64_t v)
{
    uint64_t seen = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    while (seen < v && !__atomic_compare_exchange_n(word, &seen, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
    return seen;
}

void twin_launch(twin_kernel kernel, const uint64_t *args, uint32_t blocks)
{
    Launch &l = launch;
    l.random.state = ++l.number * 0xD1B54A32D192ED03u;
    for (auto &core : l.cores)
        core->settle(l.random, to != 0);
    while (l.cores.size() < 8 || l.cores.size() < blocks)
        l.cores.emplace_back(new Core);
    while (l.blocks.size() < blocks)
        l.blocks.emplace_back(new Block);
    uint64_t first = l.random.below(l.cores.size());
    l.kernel = kernel;
    l.args = args;
    l.size = l.running = blocks;
    l.accesses = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        Block &b = *l.blocks[i];
        b.index = i;
        b.core = l.cores[(first + i) % l.cores.size()].get();
        b.done = b.waits = b.stalls = false;
        b.stall_after = 0;
        getcontext(&b.context);
        b.context.uc_stack.ss_sp = b.stack.get();
        b.context.uc_stack.ss_size = stack_size;
        b.context.uc_link = nullptr;
        makecontext(&b.context, run_block, 0);
    }
    // One block stands still, early or late, until the others are done.
    if (blocks > 1)
        l.blocks[l.random.below(blocks)]->stall_after = 1 + l.random.below(uint64_t(1) << l.random.below(12));
    while (l.running > 0) {
        std::vector<Block *> ready, stalled;
        for (uint32_t i = 0; i < blocks; i++) {
            Block *b = l.blocks[i].get();
            if (!b->done && !b->waits)
                (b->stalls ? stalled : ready).push_back(b);
        }
        if (ready.empty())
            ready.swap(stalled);
        if (!ready.empty()) {
            current = ready[l.random.below(ready.size())];
            current->stalls = false;
            swapcontext(&l.scheduler, &current->context);
            continue;
        }
        if (l.running != blocks)
            wrong("a block has ended, others wait for it", l.number);
        for (uint32_t i = 0; i < blocks; i++)
            l.blocks[i]->waits = false;
    }
    l.size = 0;
}

void twin_move(uint64_t by, uint64_t first, uint64_t end)
{
    shift = by;
    from = first;
    to = end;
}

void twin_become_core()
{
    thread_local Core core;
    thread_local Block block;
    block.core = &core;
    current = &block;
}
