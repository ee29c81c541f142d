// Runs the cases of a file on the twin; the format is that of kernelstest.Case.
// Usage: driver file round offset
// Case i of round r runs on 1, 2, 5 or 8 blocks, by i + r. All pools lie at nearly the
// same place, offset bytes behind a line, so that caches hold lines of other cases,
// and of other areas.
#include "table.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <vector>

namespace {

constexpr uint64_t shift = uint64_t(1) << 46, room = uint64_t(1) << 26, guard = 128, places = 16;

std::FILE *in;

uint64_t word()
{
    uint64_t v;
    if (std::fread(&v, 8, 1, in) != 1) {
        std::fputs("the file ends early\n", stderr);
        std::exit(2);
    }
    return v;
}

void put(uint64_t v) { std::fwrite(&v, 8, 1, stdout); }

uint64_t hash(const uint8_t *pool, uint64_t size, uint64_t scratch, uint64_t scratch_size)
{
    uint64_t h = 0;
    for (uint64_t at = 0; at < size; at += 8)
        if (at - scratch >= scratch_size) {
            uint64_t w;
            std::memcpy(&w, pool + at, 8);
            h ^= w;
            h = (h << 29 | h >> 35) * 0x9E3779B97F4A7C15u;
        }
    return h;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 4 || (in = std::fopen(argv[1], "rb")) == nullptr)
        return 2;
    const uint32_t counts[] = {1, 2, 5, 8};
    void *mapped = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        return 2;
    uint64_t round = std::strtoul(argv[2], nullptr, 10), offset = std::strtoul(argv[3], nullptr, 10), cases = word();
    for (uint64_t i = 0; i < cases; i++) {
        uint64_t size = word(), scratch = word(), scratch_size = word();
        uint8_t *pool = static_cast<uint8_t *>(mapped) + guard + offset + i * 7 % places * 64;
        uint64_t base = reinterpret_cast<uint64_t>(pool);
        if (offset >= 64 || size > room - 3 * guard - places * 64)
            return 2;
        std::memset(pool - guard, 0xA5, guard);
        std::memset(pool + size, 0xA5, guard);
        if (std::fread(pool, 1, size, in) != size)
            return 2;
        twin_move(shift, base, base + size);
        for (uint64_t launches = word(); launches > 0; launches--) {
            uint64_t kernel = word(), args[8];
            if (kernel >= twin_table_size)
                return 2;
            for (unsigned j = 0; j < 8; j++) {
                args[j] = word();
                if ((twin_table[kernel].addresses >> j & 1) != 0)
                    args[j] += base + shift;
            }
            twin_launch(twin_table[kernel].run, args, counts[(i + round) % 4]);
            put(hash(pool, size, scratch, scratch_size));
        }
        std::fwrite(pool, 1, size, stdout);
        for (uint64_t j = 0; j < guard; j++)
            if (pool[j - guard] != 0xA5 || pool[size + j] != 0xA5) {
                std::fprintf(stderr, "case %llu wrote outside of its pool\n", static_cast<unsigned long long>(i));
                return 1;
            }
    }
    return std::ferror(stdout);
}
