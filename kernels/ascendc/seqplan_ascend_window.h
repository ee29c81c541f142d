/* Global memory as the scalar unit of an AscendC core sees it.

   Each core has a data cache of 64-byte lines that writes back and is not coherent:
   a line stays in it, over launches too, whatever other cores, DMA and the host
   write to memory, and what a core writes stays in its cache. So a line is dropped
   before a launch reads it first, and written back when the launch leaves it.

   Include this before a header that seqplan has generated. */
#ifndef SEQPLAN_ASCEND_WINDOW_H
#define SEQPLAN_ASCEND_WINDOW_H

#include "kernel_operator.h"

#ifndef SEQPLAN_FN
#define SEQPLAN_FN static __aicore__ inline
#endif
#ifndef SEQPLAN_GM
#define SEQPLAN_GM __gm__
#endif
#include "seqplan_abi.h"

namespace seqplan {

/* Writes a line of this core's cache back if it is dirty, and drops it. The address
   must be that of a line: for another one the instruction handles less than a line.
   The compiler must neither move accesses over it nor keep values across it. */
__aicore__ inline void sync_line(const AscendC::GlobalTensor<uint64_t> &line)
{
    __asm__ __volatile__("" ::: "memory");
    AscendC::DataCacheCleanAndInvalid<uint64_t, AscendC::CacheLine::SINGLE_CACHE_LINE,
                                      AscendC::DcciDst::CACHELINE_OUT>(line);
    __asm__ __volatile__("" ::: "memory");
}

/* Reads and writes memory one line at a time, the line that was used last. The line
   is fresh when it becomes the current one, and memory has it when another does, or
   when the window ends. So whoever writes a part of a line leaves the rest of it as
   it was, if no other core writes to this line in the same launch.

   Windows of one core may lie over each other: they share its cache. Offsets count
   from the base; words must lie aligned. */
class Window {
public:
    __aicore__ inline explicit Window(__gm__ uint8_t *base) : base_(base) {}
    __aicore__ inline ~Window() { leave(); }
    Window(const Window &) = delete;
    Window &operator=(const Window &) = delete;

    __aicore__ inline uint64_t word(uint64_t offset)
    {
        uint64_t at = enter(offset);
        return words_.GetValue(at / SEQPLAN_WORD_SIZE);
    }

    /* A little-endian integer of width bytes, 1 to 8, at any offset. */
    __aicore__ inline uint64_t integer(uint64_t offset, uint64_t width)
    {
        uint64_t v = 0;
        for (uint64_t i = 0; i < width; i++) {
            uint64_t at = enter(offset + i);
            v |= static_cast<uint64_t>(bytes_.GetValue(at)) << (8 * i);
        }
        return v;
    }

    __aicore__ inline void put(uint64_t offset, uint64_t v)
    {
        uint64_t at = enter(offset);
        words_.SetValue(at / SEQPLAN_WORD_SIZE, v);
        dirty_ = true;
    }

    __aicore__ inline void put_byte(uint64_t offset, uint8_t v)
    {
        uint64_t at = enter(offset);
        bytes_.SetValue(at, v);
        dirty_ = true;
    }

private:
    /* Goes to the line of an offset; returns where the offset is in it. */
    __aicore__ inline uint64_t enter(uint64_t offset)
    {
        uint64_t address = reinterpret_cast<uint64_t>(base_) + offset, at = address % SEQPLAN_LINE_SIZE;
        if (address - at != line_) {
            leave();
            line_ = address - at;
            words_.SetGlobalBuffer(reinterpret_cast<__gm__ uint64_t *>(line_));
            bytes_.SetGlobalBuffer(reinterpret_cast<__gm__ uint8_t *>(line_));
            sync_line(words_);
        }
        return at;
    }

    __aicore__ inline void leave()
    {
        if (dirty_)
            sync_line(words_);
        dirty_ = false;
    }

    __gm__ uint8_t *base_;
    uint64_t line_ = 0; /* its address; there is no memory at 0 */
    bool dirty_ = false;
    AscendC::GlobalTensor<uint64_t> words_;
    AscendC::GlobalTensor<uint8_t> bytes_;
};

} // namespace seqplan

#endif /* SEQPLAN_ASCEND_WINDOW_H */
