// Kernels that allocate by themselves, and lists.
#include "check_cuda.h"

#include "probe/seqplan_probe.h"

#include <algorithm>

namespace {

constexpr uint64_t arena_start = UINT64_C(1) << 40; // nowhere: nothing is written to what is given out

uint64_t rounded(uint64_t size, uint64_t align) { return (size + align - 1) / align * align; }

// Memory in which threads take the pieces of an array of sizes.
class Contention {
public:
    Contention(cudaStream_t stream, uint64_t n)
        : stream(stream), n(n), bytes(slots_at() + 16 * n), pool(true, bytes), host(false, bytes)
    {
    }

    uint64_t *sizes() { return host.words + sizes_at / 8; }

    void upload_all(uint64_t capacity, uint64_t align)
    {
        put_arena(host.words, arena_start, capacity, align);
        std::fill(host.words + slots_at() / 8, host.words + bytes / 8, 0);
        upload(stream, pool, host, bytes);
    }

    void launch(unsigned blocks, unsigned threads)
    {
        TRY(seqplan_launch(seqplan_test_contend, blocks, threads, stream, pool.words, integer{0}, integer{sizes_at},
                           integer{slots_at()}, integer{n}));
    }

    // Brings all back, and returns the code.
    uint64_t fetch()
    {
        download(stream, host, pool, bytes);
        TRY(cudaStreamSynchronize(stream));
        return host.words[SEQPLAN_CONTROL_AT_CODE];
    }

    // Every thread takes one piece; then the pieces are disjoint and aligned, and whoever
    // was refused had no room.
    void check(Faults &faults, uint64_t capacity, uint64_t align)
    {
        upload_all(capacity, align);
        launch(static_cast<unsigned>((n + 255) / 256), 256);
        uint64_t code = fetch(), refused = 0, end = arena_start;
        const uint64_t *line = host.words, *slots = host.words + slots_at() / 8;
        std::vector<std::pair<uint64_t, uint64_t>> pieces;
        for (uint64_t i = 0; i < n; i++) {
            faults.expect(slots[2 * i + 1] == sizes()[i], "a thread has left no slot: thread", i);
            if (slots[2 * i] == SEQPLAN_NOT_PLACED)
                refused++;
            else if (sizes()[i] > 0)
                pieces.emplace_back(slots[2 * i], rounded(sizes()[i], align));
        }
        std::sort(pieces.begin(), pieces.end());
        for (auto &piece : pieces) {
            faults.expect(piece.first == end, "a piece does not start where the one before it ends", piece.first);
            end = piece.first + piece.second;
        }
        uint64_t taken = end - arena_start;
        faults.expect(taken <= capacity, "the pieces leave the arena", taken);
        faults.expect(line[SEQPLAN_CONTROL_AT_NEXT] == taken, "the cursor is not behind the last piece", taken);
        faults.expect(line[SEQPLAN_CONTROL_AT_HIGH] == taken, "the high-water mark is not where the cursor is", taken);
        faults.expect(line[SEQPLAN_CONTROL_AT_FAILED] == refused, "the failures are miscounted", refused);
        if (refused == 0) {
            faults.expect(code == SEQPLAN_CODE_OK, "the code is not that of success", code);
            faults.expect(line[SEQPLAN_CONTROL_AT_WANTED] == taken, "the demand is not the sum", taken);
        } else {
            faults.expect(code == SEQPLAN_CODE_EXHAUSTED, "the code is not that of an arena without room", code);
            faults.expect(line[SEQPLAN_CONTROL_AT_FAILED_BYTES] > capacity - taken, "the first that is refused has room",
                          line[SEQPLAN_CONTROL_AT_FAILED_BYTES]);
        }
        last_refused = refused;
    }

    uint64_t last_refused = 0;

private:
    static constexpr uint64_t sizes_at = SEQPLAN_CONTROL_RECORD * SEQPLAN_WORD_SIZE;
    uint64_t slots_at() const { return sizes_at + 8 * n; }

    cudaStream_t stream;
    uint64_t n, bytes;
    Memory pool, host;
};

} // namespace

void check_contention(Faults &faults, cudaStream_t stream, uint64_t n)
{
    Contention c(stream, n);
    for (uint64_t align : {1, 256}) {
        uint64_t full = 0;
        for (uint64_t i = 0; i < n; i++) {
            c.sizes()[i] = i * 2654435761u % (4 * align + 1);
            full += rounded(c.sizes()[i], align);
        }
        c.check(faults, full, align); // all fit, up to the last byte
        faults.expect(c.last_refused == 0, "something is refused although all fits", c.last_refused);
        c.check(faults, full / 2, align);
        faults.expect(c.last_refused > 0, "nothing is refused", n);
    }
    // More than 64 bits hold, in an arena that ends where these do.
    for (uint64_t i = 0; i < n; i++)
        c.sizes()[i] = i % 3 == 0 ? (UINT64_C(1) << 62) - i : i % 1000;
    c.check(faults, SEQPLAN_NOT_PLACED - arena_start - 1, 256);
    faults.expect(c.last_refused > 0 && c.last_refused < n, "nothing or all is refused", c.last_refused);
    std::printf("figure: %llu threads took a piece each, five times: disjoint, aligned, none refused that had room\n",
                static_cast<unsigned long long>(n));

    for (uint64_t i = 0; i < n; i++)
        c.sizes()[i] = 1 + i % 256;
    c.upload_all(UINT64_C(1) << 60, 256);
    for (uint64_t threads = 32; threads < 4 * n; threads *= 32) {
        uint64_t all = threads < n ? threads : n, block = all < 256 ? all : 256;
        double us = timed(stream, 3, [&] { c.launch(static_cast<unsigned>((all + block - 1) / block), static_cast<unsigned>(block)); });
        std::printf("figure: seqplan_alloc by %llu threads: %.0f million/s\n", static_cast<unsigned long long>(all), n / us);
    }
    faults.expect(c.fetch() == SEQPLAN_CODE_OK, "an allocation failed in the measurement", 0);
}

// A list of buffers whose sizes lie in the pool, against a loop.
void check_list(Faults &faults, cudaStream_t stream, uint64_t n)
{
    const uint64_t align = 256, count_at = 128, sizes_at = 192, slots_at = sizes_at + 8 * n;
    const uint64_t work_at = rounded(slots_at + 16 * n, 64), bytes = work_at + seqplan_list_work_size(n);
    Memory pool(true, bytes), host(false, bytes);
    uint64_t *sizes = host.words + sizes_at / 8;
    uint64_t full = 0;
    for (uint64_t i = 0; i < n; i++) {
        sizes[i] = i * 2654435761u % 1000;
        full += rounded(sizes[i], align);
    }
    host.words[count_at / 8] = n;
    auto launch = [&] { TRY(seqplan_launch_list(stream, pool.words, 0, sizes_at, slots_at, count_at, n, work_at)); };
    for (uint64_t capacity : {full, full / 2}) {
        put_arena(host.words, arena_start, capacity, align);
        upload(stream, pool, host, bytes);
        launch();
        download(stream, host, pool, bytes);
        TRY(cudaStreamSynchronize(stream));
        uint64_t next = 0, failed = 0;
        for (uint64_t i = 0; i < n; i++) {
            uint64_t r = rounded(sizes[i], align), offset = arena_start + next, size = sizes[i];
            if (failed > 0 || r > capacity - next) {
                failed++;
                offset = SEQPLAN_NOT_PLACED;
                size = 0;
            } else {
                next += r;
            }
            const uint64_t *slot = host.words + slots_at / 8 + 2 * i;
            faults.expect(slot[0] == offset && slot[1] == size, "a list has a wrong slot", i);
        }
        faults.expect(host.words[SEQPLAN_CONTROL_AT_NEXT] == next, "a list has left a wrong cursor", next);
        faults.expect(host.words[SEQPLAN_CONTROL_AT_FAILED] == failed, "a list has miscounted its failures", failed);
    }
    put_arena(host.words, arena_start, UINT64_C(1) << 60, align);
    upload(stream, pool, host, bytes);
    double us = timed(stream, 20, launch);
    TRY(cudaStreamSynchronize(stream));
    std::printf("figure: list of %llu buffers: placed as by a loop; %.1f us, %.2f ns per buffer\n",
                static_cast<unsigned long long>(n), us, 1000 * us / n);
}
