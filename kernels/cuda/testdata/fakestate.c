/* The state of the fake driver: objects, the log of calls, injected errors. */
#define _GNU_SOURCE
#include "fake.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct object *objects;
_Thread_local struct object *current;
int devices = 1, broken, with_pools = 1;
uint64_t total = (uint64_t)8 << 30;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static int held, holding;
enum { MAX_DEVICES = 8 };
static struct { struct object *context; int references; } primary[MAX_DEVICES];
static int ids[KINDS];
static int calls, fail_at, fail_code, fail_late, late, twice, reckless, reclaimed, quiet;
static char *text;
static size_t used, room;

static void write_log(const char *format, va_list args) {
  char line[256];
  int n = vsnprintf(line, sizeof line - 1, format, args);
  if (n < 0 || n > (int)sizeof line - 2) n = sizeof line - 2;
  line[n++] = '\n';
  if (used + n + 1 > room) text = realloc(text, room = 2 * (used + n + 1));
  memcpy(text + used, line, n);
  text[used += n] = 0;
}

/* begin is the start of every call but cuGetErrorName: it takes the lock, counts and
 * logs the call, and says whether it is to fail. A late error is one that comes after
 * the call has done its work, as errors of earlier work do. */
CUresult begin(int how, const char *format, ...) {
  pthread_mutex_lock(&mutex);
  calls++;
  if (!quiet) {
    va_list args;
    va_start(args, format);
    write_log(format, args);
    va_end(args);
  }
  late = SUCCESS;
  if (calls == fail_at) {
    if (!fail_late || !(how & DESTROYS)) return fail_code;
    late = fail_code;
  }
  if (!(how & IN_CONTEXT)) return SUCCESS;
  if (!current || !current->live) {
    careless("no current context");
    return INVALID_CONTEXT;
  }
  if (broken && !(how & DESTROYS)) return broken;
  if (broken) late = broken;
  return SUCCESS;
}

CUresult end(CUresult r) {
  if (r == SUCCESS) r = late;
  pthread_mutex_unlock(&mutex);
  return r;
}

void hold(void) {
  for (holding++; held;) pthread_cond_wait(&moved, &mutex);
  holding--;
}

/* careless counts what the driver allows or leaves undefined and the back end promises
 * not to do. */
void careless(const char *what) {
  reckless++;
  fprintf(stderr, "fake driver: call %d: %s\n", calls, what);
}

static const char *const kinds[KINDS] = {"context", "device", "pinned", "stream", "event", "module", "graph", "exec", "pool"};

const char *name(const void *p) {
  static _Thread_local char names[4][48];
  static _Thread_local int next;
  char *out = names[next++ % 4];
  for (struct object *o = objects; o; o = o->next) {
    const char *mem = o->mem;
    if (p == o || (mem && o->live && (const char *)p >= mem && (const char *)p < mem + o->size)) {
      size_t at = p == o ? 0 : (size_t)((const char *)p - mem);
      snprintf(out, sizeof names[0], at ? "%s%d+%zu" : "%s%d", kinds[o->kind], o->id, at);
      return out;
    }
  }
  return p ? "elsewhere" : "none";
}

struct object *make(enum kind kind) {
  struct object *o = calloc(1, sizeof *o);
  o->kind = kind;
  o->id = ++ids[kind];
  o->live = 1;
  o->context = kind == CONTEXT ? NULL : current;
  o->next = objects;
  return objects = o;
}

static struct object *find(void *p, enum kind kind) {
  for (struct object *o = objects; o; o = o->next)
    if (o == p && o->kind == kind) return o;
  return NULL;
}

/* alive is the object of a handle; a handle that is none is a mistake. */
struct object *alive(void *p, enum kind kind) {
  struct object *o = find(p, kind);
  if (o && o->live) {
    if (kind != CONTEXT && o->context != current) careless("not in its context");
    return o;
  }
  twice++;
  fprintf(stderr, "fake driver: call %d: no such %s\n", calls, kinds[kind]);
  return NULL;
}

CUresult destroy(void *p, enum kind kind) {
  struct object *o = alive(p, kind);
  if (!o) return INVALID_HANDLE;
  o->live = 0;
  return SUCCESS;
}

struct object *owner(const void *p) {
  struct object *dead = NULL;
  for (struct object *o = objects; o; o = o->next)
    if (o->mem && (const char *)p >= (char *)o->mem && (const char *)p < (char *)o->mem + o->size) {
      if (o->live) return o;
      dead = o;
    }
  return dead;
}

struct object *memory(const void *p, size_t size) {
  struct object *o = owner(p);
  return o && o->live && size <= o->size - (size_t)((const char *)p - (char *)o->mem) ? o : NULL;
}

CUresult allocate(enum kind kind, size_t size, void **out) {
  if (size == 0) return INVALID_VALUE;
  if (size > total) return OUT_OF_MEMORY;
  void *mem = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mem == MAP_FAILED) return OUT_OF_MEMORY;
  struct object *o = make(kind);
  o->size = size;
  *out = o->mem = mem;
  return SUCCESS;
}

/* release keeps the addresses: they are never given out again, and whoever uses them
 * crashes. */
CUresult release(void *p, enum kind kind) {
  struct object *o = owner(p);
  if (!o || o->mem != p || o->kind != kind) return INVALID_VALUE;
  if (!o->live || o->freed) {
    twice++;
    fprintf(stderr, "fake driver: call %d: freed twice\n", calls);
    return INVALID_VALUE;
  }
  if (o->context != current) careless("memory of another context");
  if (o->pool) o->pool->attr[7] -= o->size;
  returned(o);
  madvise(o->mem, o->size, MADV_DONTNEED);
  return SUCCESS;
}

/* returned takes memory out of use; its pool may give it out again. */
void returned(struct object *o) {
  o->freed = NULL;
  if (touched(o)) careless("memory freed under work that uses it");
  o->live = 0;
  mprotect(o->mem, o->size, PROT_NONE);
}

CUresult cuDevicePrimaryCtxRetain(void **out, int device) {
  CUresult r = begin(BARE, "cuDevicePrimaryCtxRetain %d", device);
  if (r) return end(r);
  if (primary[device].references++ == 0) primary[device].context = make(CONTEXT);
  *out = primary[device].context;
  return end(SUCCESS);
}

/* The last release of a context takes everything in it along. */
CUresult cuDevicePrimaryCtxRelease_v2(int device) {
  CUresult r = begin(DESTROYS, "cuDevicePrimaryCtxRelease_v2 %d", device);
  if (r) return end(r);
  if (primary[device].references == 0) {
    twice++;
    return end(INVALID_CONTEXT);
  }
  if (--primary[device].references > 0) return end(SUCCESS);
  struct object *context = primary[device].context;
  context->live = 0;
  for (struct object *o = objects; o; o = o->next) {
    if (!o->live || o->context != context) continue;
    if (!o->freed) reclaimed++;
    o->live = 0;
    if (o->mem) mprotect(o->mem, o->size, PROT_NONE);
  }
  return end(SUCCESS);
}

/* What the tests call. */

void fake_reset(void) {
  for (struct object *o = objects; o; o = o->next)
    if (o->mem) munmap(o->mem, o->size);
  objects = NULL;
  memset(ids, 0, sizeof ids);
  memset(primary, 0, sizeof primary);
  broken = calls = fail_at = fail_late = twice = reckless = reclaimed = quiet = held = 0;
  devices = with_pools = 1;
  used = 0;
  if (text) *text = 0;
}

void fake_devices(int n) { devices = n; }
void fake_pools(int has) { with_pools = has; }
void fake_quiet(void) { quiet = 1; }

/* While the fake holds, whoever waits for an event stays in the driver. */
void fake_hold(int on) {
  pthread_mutex_lock(&mutex);
  held = on;
  pthread_cond_broadcast(&moved);
  pthread_mutex_unlock(&mutex);
}

int fake_holding(void) {
  pthread_mutex_lock(&mutex);
  int n = holding;
  pthread_mutex_unlock(&mutex);
  return n;
}

void fake_fail(int at, int code, int is_late) { fail_at = at, fail_code = code, fail_late = is_late; }
int fake_calls(void) { return calls; }
int fake_twice(void) { return twice; }
int fake_careless(void) { return reckless; }
int fake_reclaimed(void) { return reclaimed; }
const char *fake_log(void) { return text ? text : ""; }

int fake_live(void) {
  int n = 0;
  for (struct object *o = objects; o; o = o->next) n += o->live && !o->freed;
  return n;
}
