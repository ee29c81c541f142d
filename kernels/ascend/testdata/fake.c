#define _GNU_SOURCE
#include "fake.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *objects;
static char *text, *faults; /* one line per call, per fault */
static long calls, fail_call;
static int fail_code, fail_work;

int fake_init_refs, fake_device_refs;
uint32_t fake_devices = 2;
int fake_unaligned; /* 1: copies between any addresses are fine */
int fake_pause;     /* nanoseconds that aclrtSetCurrentContext takes */
int fake_off;       /* what an attribute of a pool reads after 0 was written */
static int held, holding; /* which calls are held up; how many are */
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;

__thread struct object *current;
__thread char message[256];

static void append(char **to, const char *line)
{
    size_t n = *to ? strlen(*to) : 0;
    *to = realloc(*to, n + strlen(line) + 2);
    sprintf(*to + n, "%s\n", line);
}

void fault(const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    append(&faults, line);
}

int begin(const char *call)
{
    pthread_mutex_lock(&lock);
    append(&text, call);
    if (++calls != fail_call)
        return OK;
    snprintf(message, sizeof message, "  injected into %s\nsecond line  \n", call);
    return fail_code;
}

int begin_in_context(const char *call)
{
    int code = begin(call);
    if (code == OK && (!current || !current->live)) {
        fault("%s: no current context on this thread", call);
        return CONTEXT_NULL;
    }
    return code;
}

int end(int code)
{
    pthread_mutex_unlock(&lock);
    return code;
}

void hold(int which)
{
    holding++;
    while (held & which)
        pthread_cond_wait(&released, &lock);
    holding--;
}

/* What went wrong on this thread since the last question, or NULL. */
const char *aclGetRecentErrMsg(void)
{
    static __thread char last[sizeof message];
    if (!message[0])
        return NULL;
    strcpy(last, message);
    message[0] = 0;
    return last;
}

struct object *make(enum kind kind)
{
    struct object *o = calloc(1, sizeof *o);
    o->kind = kind;
    o->live = 1;
    o->context = current;
    o->next = objects;
    return objects = o;
}

struct object *lookup(enum kind kind, const void *handle)
{
    static const char *const names[KINDS] = {"context", "stream", "event", "device memory", "host memory", "binary", "pool"};
    for (struct object *o = objects; o; o = o->next)
        if (o == handle && o->kind == kind) {
            if (o->live)
                return o;
            fault("%s used after its end", names[kind]);
            return NULL;
        }
    fault("%p is no %s", handle, names[kind]);
    return NULL;
}

struct object *block_of(enum kind kind, uint64_t addr, uint64_t count)
{
    for (struct object *o = objects; o; o = o->next)
        if (o->kind == kind && o->live && (!o->pool || o->used) && addr >= o->addr && addr - o->addr <= o->size && count <= o->size - (addr - o->addr))
            return o;
    return NULL;
}

int live_in(const struct object *context)
{
    int n = 0;
    for (struct object *o = objects; o; o = o->next)
        n += o->live && o->context == context && o->kind != CONTEXT;
    return n;
}

void push(struct object *stream, struct work work)
{
    struct work *w = malloc(sizeof *w);
    *w = work;
    w->next = NULL;
    if (stream->tail)
        stream->tail->next = w;
    else
        stream->head = w;
    stream->tail = w;
    stream->queued++;
}

/* What work uses of a pool must be there when it runs. */
static void there(uint64_t addr)
{
    for (struct object *o = objects; o; o = o->next)
        if (o->pool && o->live && addr - o->addr < o->size && !o->mapped)
            fault("work uses memory of a pool before its allocation or after its free");
}

static void execute(struct object *stream, const struct work *w)
{
    switch (w->op) {
    case COPY:
        there(w->dst);
        there(w->src);
        memmove((void *)w->dst, (const void *)w->src, w->count);
        break;
    case SET:
        there(w->dst);
        memset((void *)w->dst, w->value, w->count);
        break;
    case LAUNCH:
        if (fail_work) {
            stream->error = fail_work;
            snprintf(message, sizeof message, "kernel failed");
            fail_work = 0;
            break;
        }
        w->run(w->args, w->blocks);
        break;
    default: /* not here */
        break;
    }
}

/* Runs the queue of a stream up to so many operations since its start. An error
 * drops the rest, but for events, which others may wait for, and the memory of pools. */
void run(struct object *stream, uint64_t until)
{
    while (stream->done < until && stream->head) {
        struct work *w = stream->head;
        stream->head = w->next;
        if (!stream->head)
            stream->tail = NULL;
        stream->done++;
        if (w->op == WAIT)
            run(w->stream, w->until);
        else if (w->op == MALLOC)
            allocated(w->block);
        else if (w->op == FREE)
            freed(w->block);
        else if (stream->error == OK)
            execute(stream, w);
        else if (w->op == RECORD)
            w->event->failed = stream->done;
        free(w);
    }
}

void unused(const struct object *memory, const char *call)
{
    for (struct object *s = objects; s; s = s->next)
        for (struct work *w = s->kind == STREAM ? s->head : NULL; w; w = w->next)
            if (w->binary == memory || (memory->size && (w->op == COPY || w->op == SET) &&
                                        (w->dst - memory->addr < memory->size || (w->op == COPY && w->src - memory->addr < memory->size))))
                fault("%s: queued work still uses it", call);
}

struct object *first(void) { return objects; }

int failed(void) { return fail_call > 0 && calls >= fail_call; }

/* For the test. */

void fake_fail_at(long call, int code)
{
    fail_call = call;
    fail_code = code;
}

void fake_fail_work(int code) { fail_work = code; }

const char *fake_log(void) { return text ? text : ""; }

const char *fake_faults(void) { return faults ? faults : ""; }

int fake_live(void)
{
    int n = fake_init_refs + fake_device_refs;
    for (struct object *o = objects; o; o = o->next)
        n += o->live;
    return n;
}

void fake_set_devices(uint32_t n) { fake_devices = n; }

void fake_allow_unaligned(int yes) { fake_unaligned = yes; }

void fake_set_off(int value) { fake_off = value; }

void fake_set_pause(int nanoseconds) { fake_pause = nanoseconds; }

/* Holds up calls that ask for an event, 1, that wait for one, 2, that are about to take
 * memory of a pool, 4, that have given it back, 8, and that wait for a stream, 16. */
void fake_hold(int which)
{
    pthread_mutex_lock(&lock);
    held = which;
    pthread_cond_broadcast(&released);
    pthread_mutex_unlock(&lock);
}

int fake_holding(void)
{
    pthread_mutex_lock(&lock);
    int n = holding;
    pthread_mutex_unlock(&lock);
    return n;
}

/* Lets the device get on with everything that is queued. */
void fake_run(void)
{
    pthread_mutex_lock(&lock);
    for (struct object *o = objects; o; o = o->next)
        if (o->kind == STREAM && o->live)
            run(o, o->queued);
    pthread_mutex_unlock(&lock);
}

/* Starts anew: what is live stays as it is, but is no longer counted. */
void fake_reset(void)
{
    free(text);
    free(faults);
    text = faults = NULL;
    objects = NULL;
    calls = fail_call = 0;
    fail_code = fail_work = 0;
    fake_init_refs = fake_device_refs = fake_unaligned = fake_pause = fake_off = 0;
    fake_devices = 2;
}
