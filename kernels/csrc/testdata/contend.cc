// Eight threads take a million pieces of memory from one arena. Prints what is wrong.
#include "probe/seqplan_probe.h"

#include <algorithm>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

constexpr uint64_t threads = 8, n = 1000000, sizes_at = 128, slots_at = sizes_at + 8 * n;
int bad;

void expect(bool ok, const char *what)
{
    if (!ok && bad++ < 10)
        std::printf("%s\n", what);
}

struct Pool {
    std::vector<uint64_t> words = std::vector<uint64_t>((slots_at + 16 * n) / 8);
    uint64_t start, capacity, align;

    Pool(uint64_t start, uint64_t capacity, uint64_t align) : start(start), capacity(capacity), align(align)
    {
        words[SEQPLAN_CONTROL_AT_MAGIC] = SEQPLAN_MAGIC;
        words[SEQPLAN_CONTROL_AT_ARENA_START] = start;
        words[SEQPLAN_CONTROL_AT_ARENA_CAPACITY] = capacity;
        words[SEQPLAN_CONTROL_AT_ARENA_ALIGN] = align;
        words[SEQPLAN_CONTROL_AT_FIRST_FAILED] = SEQPLAN_NO_SLOT;
    }

    uint64_t *sizes() { return &words[sizes_at / 8]; }
    uint64_t line(uint64_t at) const { return words[at]; }

    void run()
    {
        std::vector<std::thread> all;
        for (uint64_t i = 0; i < threads; i++)
            all.emplace_back([this, i] {
                seqplan_this = {i, threads, 0, 1, nullptr, nullptr};
                seqplan_test_contend(reinterpret_cast<uint8_t *>(words.data()), 0, sizes_at, slots_at, n);
            });
        for (auto &thread : all)
            thread.join();
    }

    // What must hold for all that was given out. Returns how many were refused.
    uint64_t check()
    {
        struct Piece {
            uint64_t offset, size;
        };
        std::vector<Piece> pieces;
        uint64_t refused = 0, end = start;
        for (uint64_t i = 0; i < n; i++) {
            Piece p = {words[slots_at / 8 + 2 * i], sizes()[i]};
            if (p.offset == SEQPLAN_NOT_PLACED)
                refused++;
            else if (p.size > 0)
                pieces.push_back(p);
        }
        std::sort(pieces.begin(), pieces.end(), [](Piece a, Piece b) { return a.offset < b.offset; });
        for (Piece p : pieces) {
            uint64_t rounded = (p.size + align - 1) / align * align;
            expect(p.offset % align == 0, "a piece is not aligned");
            expect(p.offset == end, "a piece overlaps the one before, or leaves a gap");
            expect(rounded <= capacity && p.offset - start <= capacity - rounded, "a piece leaves the arena");
            end = p.offset + rounded;
        }
        expect(line(SEQPLAN_CONTROL_AT_NEXT) == end - start, "the cursor is not behind the last piece");
        expect(line(SEQPLAN_CONTROL_AT_HIGH) == end - start, "the high-water mark is not where the cursor is");
        expect(line(SEQPLAN_CONTROL_AT_FAILED) == refused, "the failures are miscounted");
        return refused;
    }
};

// The sizes fill the arena to the last byte: nothing may be refused.
void exact(uint64_t start, uint64_t align)
{
    Pool pool(start, 0, align);
    for (uint64_t i = 0; i < n; i++) {
        pool.sizes()[i] = i * 2654435761u % (4 * align + 1);
        pool.capacity += (pool.sizes()[i] + align - 1) / align * align;
    }
    pool.words[SEQPLAN_CONTROL_AT_ARENA_CAPACITY] = pool.capacity;
    pool.run();
    expect(pool.check() == 0, "something is refused although all fits");
    expect(pool.line(SEQPLAN_CONTROL_AT_NEXT) == pool.capacity, "the arena is not full");
    expect(pool.line(SEQPLAN_CONTROL_AT_WANTED) == pool.capacity, "the demand is not the sum");
    expect(pool.line(SEQPLAN_CONTROL_AT_CODE) == SEQPLAN_CODE_OK, "the code is not that of success");
}

// The sizes are more than uint64 holds, in an arena that ends where uint64 does.
void full(uint64_t large)
{
    Pool pool(1 << 20, SEQPLAN_NOT_PLACED - (1 << 20) - 1, 256);
    for (uint64_t i = 0; i < n; i++)
        pool.sizes()[i] = i % 3 == 0 ? large - i % 1000 : i % 1000;
    pool.run();
    uint64_t refused = pool.check(), failed_bytes = pool.line(SEQPLAN_CONTROL_AT_FAILED_BYTES);
    expect(refused > 0 && refused < n, "nothing or all is refused");
    expect(pool.line(SEQPLAN_CONTROL_AT_CODE) == SEQPLAN_CODE_EXHAUSTED, "the code is not that of an arena without room");
    expect(failed_bytes > pool.capacity - pool.line(SEQPLAN_CONTROL_AT_NEXT), "the first that is refused has room");
    expect(pool.line(SEQPLAN_CONTROL_AT_FIRST_FAILED) == SEQPLAN_NO_SLOT, "a slot has failed");
    expect(pool.line(SEQPLAN_CONTROL_AT_WANTED) > pool.line(SEQPLAN_CONTROL_AT_NEXT), "the demand wraps");
}

} // namespace

int main()
{
    exact(4096, 256);
    exact(UINT64_C(1) << 40, 1);
    full(UINT64_C(1) << 46);
    full(UINT64_C(1) << 63);
    return bad != 0;
}
