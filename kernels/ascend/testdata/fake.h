/* A stand-in for libascendcl on host memory, for tests. It checks what a driver
 * would not forgive, and queues work until somebody waits for it, so that a
 * missing wait shows. The functions fake_* are for the test itself. */
#ifndef SEQPLAN_FAKE_H
#define SEQPLAN_FAKE_H

#include <stddef.h>
#include <stdint.h>

enum {
    OK = 0,
    REPEAT_INITIALIZE = 100002,
    PARAM_INVALID = 107000,
    INVALID_DEVICE = 107001,
    CONTEXT_NULL = 107002,
    STREAM_CONTEXT = 107003,
    ADDR_UNALIGNED = 107008,
    INVALID_HANDLE = 107017,
    MEMORY_ALLOCATION = 207001,
    MEMORY_FREE = 207002,
    INTERNAL_ERROR = 507000,
};

#define MEMORY (64ull << 30)
#define LINE 64

enum kind { CONTEXT, STREAM, EVENT, DEVICE_MEMORY, HOST_MEMORY, BINARY, POOL, KINDS };

/* An object is never freed, so that its use after its end is seen. */
struct object {
    enum kind kind;
    int live;
    struct object *context; /* the one it was made in */
    struct object *next;

    uint64_t addr, size; /* memory; pool: the largest size */

    struct object *pool;   /* memory: of this pool; a live block is one that the pool holds */
    int used;              /* somebody was given it and has not freed it */
    int mapped;            /* work may use it: its allocation has run, its last free has not */
    uint64_t pending;      /* allocations and frees of it that are queued */
    struct object *last;   /* stream of the last free */
    uint32_t switches[4];  /* pool: attributes 1 to 3 */
    uint64_t threshold, reserved_high, used_high;

    int device; /* context */

    void *library; /* binary: from dlopen */

    struct work *head, *tail; /* stream: its queue */
    uint64_t queued, done;
    int error; /* of its work, until somebody waits */

    struct object *stream; /* event: where it was recorded last */
    uint64_t until;        /* how many operations of that stream it stands for */
    uint64_t failed;       /* the value of until for which work had failed */
};

typedef void (*kernel)(const uint64_t *args, uint32_t blocks);

enum op { COPY, SET, LAUNCH, RECORD, WAIT, MALLOC, FREE };

struct work {
    enum op op;
    uint64_t dst, src, count;
    int value;
    kernel run;
    struct object *binary;
    struct object *block; /* of a pool */
    uint32_t blocks;
    uint64_t args[8];
    struct object *stream, *event;
    uint64_t until;
    struct work *next;
};

/* A function of a binary. */
struct function {
    struct object *binary;
    kernel run;
};

extern __thread struct object *current; /* context of this thread */

int begin(const char *call);            /* logs a call; the code to fail with, or OK */
int begin_in_context(const char *call); /* also checks that a context is current */
int end(int code);
void hold(int which); /* lets others run for as long as the test says */
void fault(const char *format, ...);

struct object *make(enum kind kind);
struct object *lookup(enum kind kind, const void *handle); /* live, else NULL and a fault */
struct object *stream_of(void *handle, const char *call, int *code); /* live, of the current context */
struct object *block_of(enum kind kind, uint64_t addr, uint64_t count);
int live_in(const struct object *context);

void push(struct object *stream, struct work work);
void run(struct object *stream, uint64_t until);
void unused(const struct object *memory, const char *call); /* a fault if queued work names it */

char *mapped(uint64_t size); /* memory after one line that is nobody's, or NULL */
void unmap(char *addr, uint64_t size);

void allocated(struct object *block);       /* the allocation runs */
void freed(struct object *block);           /* the free runs */
void synchronized(void);                    /* pools give back what is over their threshold */
void abandon(const struct object *context); /* pools in use end with it, if a call was made to fail */
struct object *first(void);                 /* of all objects */
int failed(void);                           /* a call was made to fail */

#endif
