/* What the parts of the fake driver share. The fake works on host memory. Work is
 * queued and runs only when somebody waits for it, so that a missing wait shows. */
#ifndef FAKE_H
#define FAKE_H

#include <stddef.h>
#include <stdint.h>

typedef int CUresult;

enum {
  SUCCESS = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  NO_DEVICE = 100,
  INVALID_DEVICE = 101,
  INVALID_CONTEXT = 201,
  INVALID_PTX = 218,
  INVALID_HANDLE = 400,
  NOT_FOUND = 500,
  NOT_READY = 600,
  ILLEGAL_ADDRESS = 700,
  CAPTURE_UNSUPPORTED = 900,
  CAPTURED_EVENT = 907,
};

enum kind { CONTEXT, DEVICE, PINNED, STREAM, EVENT, MODULE, GRAPH, EXEC, POOL, KINDS };

enum { MAX_KERNELS = 64, MAX_PARAMS = 16 };

struct kernel {
  struct object *module;
  char name[64];
  int params;
};

struct op {
  enum { COPY, SET, LAUNCH, WAIT, FREE, NOTHING } what;
  void *dst;
  const void *src;
  size_t size;
  int value;
  struct object *stream; /* WAIT */
  uint64_t until;
  struct kernel *kernel;
  uint32_t blocks, threads;
  uint64_t args[MAX_PARAMS];
};

struct queue {
  struct op *ops;
  uint64_t count, done, room;
};

/* One object for everything that is made. It is never given back, so that a handle
 * of the past is known as such. */
struct object {
  struct object *next;
  enum kind kind;
  int id, live;
  struct object *context;
  void *mem; /* DEVICE, PINNED */
  size_t size;
  struct queue queue;      /* STREAM, GRAPH, EXEC */
  struct object *graph;    /* STREAM: the capture that it is part of; EVENT: was recorded in */
  struct object *recorded; /* EVENT: the stream */
  int captured;            /* EVENT: the last record was part of a capture */
  uint64_t until;          /* EVENT: operations of the stream; DEVICE: the one that frees it */
  struct object *pool;     /* DEVICE: that it was taken from */
  struct object *freed;    /* DEVICE: the stream that frees it when it comes so far */
  uint64_t attr[9];        /* POOL, by number */
  uint64_t limit;          /* POOL */
  struct kernel *kernels; /* MODULE */
  int count;
};

/* fakestate.c */
enum { BARE = 0, IN_CONTEXT = 1, DESTROYS = 2 };
CUresult begin(int how, const char *format, ...) __attribute__((format(printf, 2, 3)));
CUresult end(CUresult);
const char *name(const void *); /* of an address or object in the log */
struct object *make(enum kind);
CUresult destroy(void *, enum kind);
struct object *alive(void *, enum kind);
struct object *memory(const void *, size_t); /* live memory that holds some bytes */
struct object *owner(const void *);          /* memory, live or not */
CUresult allocate(enum kind, size_t, void **);
CUresult release(void *, enum kind);
void returned(struct object *mem); /* its free has run */
void careless(const char *what);
void hold(void); /* waits with the lock given up, while the test wants it */

extern struct object *objects;
extern _Thread_local struct object *current;
extern int devices, broken, with_pools;
extern uint64_t total;

/* fakework.c */
CUresult push(void *stream, struct op);
void append(struct queue *, struct op);
void run(struct object *stream, uint64_t until);
int touched(struct object *mem);
int parse(struct object *module, const char *image);

#endif
