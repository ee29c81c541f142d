#define _GNU_SOURCE
#include "fake.h"

#include <string.h>
#include <sys/mman.h>
#include <time.h>

extern int fake_init_refs, fake_device_refs, fake_unaligned, fake_pause;
extern uint32_t fake_devices;

int aclInit(const char *config)
{
    int code = begin("aclInit");
    (void)config;
    if (code != OK)
        return end(code);
#ifdef OLD /* an older release counts no references */
    static int done;
    code = done ? REPEAT_INITIALIZE : OK;
    done = 1;
#else
    code = fake_init_refs++ ? REPEAT_INITIALIZE : OK;
#endif
    return end(code);
}

#ifndef OLD
int aclFinalizeReference(uint64_t *count)
{
    int code = begin("aclFinalizeReference");
    if (--fake_init_refs < 0)
        fault("aclFinalizeReference: once too often");
    if (count)
        *count = (uint64_t)fake_init_refs;
    return end(code);
}
#endif

int aclrtGetDeviceCount(uint32_t *count)
{
    int code = begin("aclrtGetDeviceCount");
    *count = fake_devices;
    return end(code);
}

int aclrtSetDevice(int32_t device)
{
    int code = begin("aclrtSetDevice");
    if (code == OK && (device < 0 || (uint32_t)device >= fake_devices))
        code = INVALID_DEVICE;
    if (code == OK)
        fake_device_refs++;
    return end(code);
}

int aclrtResetDevice(int32_t device)
{
    int code = begin("aclrtResetDevice");
    (void)device;
    if (--fake_device_refs < 0)
        fault("aclrtResetDevice: once too often");
    return end(code);
}

int aclrtCreateContext(void **context, int32_t device)
{
    int code = begin("aclrtCreateContext");
    if (code == OK) {
        *context = current = make(CONTEXT);
        current->device = device;
    }
    return end(code);
}

int aclrtDestroyContext(void *context)
{
    int code = begin("aclrtDestroyContext");
    struct object *o = lookup(CONTEXT, context);
    if (!o)
        return end(INVALID_HANDLE);
    abandon(o);
    if (live_in(o))
        fault("aclrtDestroyContext: %d objects live in it", live_in(o));
    o->live = 0;
    return end(code);
}

int aclrtSetCurrentContext(void *context)
{
    int code = begin("aclrtSetCurrentContext");
    if (code != OK)
        return end(code);
    struct object *o = lookup(CONTEXT, context);
    if (o)
        current = o;
    end(OK);
    if (fake_pause)
        nanosleep(&(struct timespec){.tv_nsec = fake_pause}, NULL);
    return o ? OK : INVALID_HANDLE;
}

const char *aclrtGetSocName(void)
{
    int code = end(begin("aclrtGetSocName"));
    return code == OK ? "Ascend910B4" : NULL;
}

/* attribute 1 is HBM, which this machine does not have; 0 is DDR */
int aclrtGetMemInfo(int attribute, size_t *available, size_t *total)
{
    int code = begin_in_context("aclrtGetMemInfo");
    *available = *total = attribute == 0 ? MEMORY : 0;
    return end(code);
}

/* The first address is a multiple of 64, and of nothing more. */
char *mapped(uint64_t size)
{
    if (size > MEMORY)
        return NULL;
    void *p = mmap(NULL, size + LINE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    if (size <= 1 << 20)
        memset(p, 0xA5, size + LINE);
    return (char *)p + LINE;
}

void unmap(char *addr, uint64_t size) { munmap(addr - LINE, size + LINE); }

static int reserve(enum kind kind, void **out, uint64_t size)
{
    char *p = size ? mapped(size) : NULL;
    if (!p)
        return size ? MEMORY_ALLOCATION : PARAM_INVALID;
    struct object *o = make(kind);
    o->addr = (uint64_t)p;
    o->size = size;
    *out = p;
    return OK;
}

static int release(enum kind kind, void *addr, const char *call)
{
    int code = begin_in_context(call);
    struct object *o = block_of(kind, (uint64_t)addr, 1);
    if (!o || o->addr != (uint64_t)addr || o->pool) {
        fault("%s: %p is not allocated", call, addr);
        return end(MEMORY_FREE);
    }
    unused(o, call);
    o->live = 0;
    unmap(addr, o->size);
    return end(code);
}

int aclrtMalloc(void **out, size_t size, int policy)
{
    int code = begin_in_context("aclrtMalloc");
    if (policy != 0 || size % LINE)
        fault("aclrtMalloc: %zu bytes, policy %d", size, policy);
    return end(code != OK ? code : reserve(DEVICE_MEMORY, out, size));
}

int aclrtMallocHost(void **out, size_t size)
{
    int code = begin_in_context("aclrtMallocHost");
    return end(code != OK ? code : reserve(HOST_MEMORY, out, size));
}

/* Memory of the host that does not come from the driver; a multiple of 64 too. */
void *fake_outside(size_t size) { return mapped(size); }

int aclrtFree(void *addr) { return release(DEVICE_MEMORY, addr, "aclrtFree"); }

int aclrtFreeHost(void *addr) { return release(HOST_MEMORY, addr, "aclrtFreeHost"); }

/* Kinds: host to device 1, device to host 2, device to device 3. */
static int check_copy(const char *call, uint64_t dst, uint64_t max, uint64_t src, uint64_t count, int kind, int any_host)
{
    enum kind to = kind == 2 ? HOST_MEMORY : DEVICE_MEMORY, from = kind == 1 ? HOST_MEMORY : DEVICE_MEMORY;
    if (kind < 1 || kind > 3 || count == 0 || count > max) {
        fault("%s: kind %d, %lu of at most %lu bytes", call, kind, count, max);
        return PARAM_INVALID;
    }
    if (!(any_host && to == HOST_MEMORY) && !block_of(to, dst, max)) {
        fault("%s: destination is not allocated", call);
        return PARAM_INVALID;
    }
    if (!(any_host && from == HOST_MEMORY) && !block_of(from, src, count)) {
        fault("%s: source is not allocated", call);
        return PARAM_INVALID;
    }
    return OK;
}

int aclrtMemcpy(void *dst, size_t max, const void *src, size_t count, int kind)
{
    int code = begin_in_context("aclrtMemcpy");
    if (code == OK)
        code = check_copy("aclrtMemcpy", (uint64_t)dst, max, (uint64_t)src, count, kind, 1);
    if (code == OK)
        memmove(dst, src, count);
    return end(code);
}

struct object *stream_of(void *handle, const char *call, int *code)
{
    struct object *s = lookup(STREAM, handle);
    if (!s)
        *code = INVALID_HANDLE;
    else if (s->context != current) {
        fault("%s: stream of another context", call);
        *code = STREAM_CONTEXT;
        return NULL;
    }
    return s;
}

int aclrtMemcpyAsync(void *dst, size_t max, const void *src, size_t count, int kind, void *stream)
{
    int code = begin_in_context("aclrtMemcpyAsync");
    if (code != OK)
        return end(code);
    struct object *s = stream_of(stream, "aclrtMemcpyAsync", &code);
    if (!s)
        return end(code);
    code = check_copy("aclrtMemcpyAsync", (uint64_t)dst, max, (uint64_t)src, count, kind, 0);
    if (code == OK && !fake_unaligned && ((uint64_t)dst | (uint64_t)src) % LINE) {
        fault("aclrtMemcpyAsync: not aligned");
        code = ADDR_UNALIGNED;
    }
    if (code == OK)
        push(s, (struct work){.op = COPY, .dst = (uint64_t)dst, .src = (uint64_t)src, .count = count});
    return end(code);
}

int aclrtMemsetAsync(void *dst, size_t max, int32_t value, size_t count, void *stream)
{
    int code = begin_in_context("aclrtMemsetAsync");
    if (code != OK)
        return end(code);
    struct object *s = stream_of(stream, "aclrtMemsetAsync", &code);
    if (!s)
        return end(code);
    if (count == 0 || count > max || !block_of(DEVICE_MEMORY, (uint64_t)dst, max)) {
        fault("aclrtMemsetAsync: outside of device memory");
        return end(PARAM_INVALID);
    }
    push(s, (struct work){.op = SET, .dst = (uint64_t)dst, .value = value, .count = count});
    return end(OK);
}

int aclrtCreateStream(void **stream)
{
    int code = begin_in_context("aclrtCreateStream");
    if (code == OK)
        *stream = make(STREAM);
    return end(code);
}

int aclrtSynchronizeStream(void *stream)
{
    int code = begin_in_context("aclrtSynchronizeStream");
    struct object *s = stream_of(stream, "aclrtSynchronizeStream", &code);
    if (!s)
        return end(code);
    hold(16);
    run(s, s->queued);
    synchronized();
    if (code == OK)
        code = s->error;
    s->error = OK;
    return end(code);
}

int aclrtDestroyStream(void *stream)
{
    int code = begin_in_context("aclrtDestroyStream");
    struct object *s = stream_of(stream, "aclrtDestroyStream", &code);
    if (!s)
        return end(code);
    if (s->head)
        fault("aclrtDestroyStream: work is queued");
    run(s, s->queued);
    s->live = 0;
    return end(code);
}

int aclrtCreateEventExWithFlag(void **event, uint32_t flag)
{
    int code = begin_in_context("aclrtCreateEventExWithFlag");
    if (flag != 1)
        fault("aclrtCreateEventExWithFlag: streams cannot wait for an event with the flags %u", flag);
    if (code == OK)
        *event = make(EVENT);
    return end(code);
}

int aclrtDestroyEvent(void *event)
{
    int code = begin_in_context("aclrtDestroyEvent");
    struct object *e = lookup(EVENT, event);
    if (!e)
        return end(INVALID_HANDLE);
    e->live = 0;
    return end(code);
}

int aclrtRecordEvent(void *event, void *stream)
{
    int code = begin_in_context("aclrtRecordEvent");
    if (code != OK)
        return end(code);
    struct object *s = stream_of(stream, "aclrtRecordEvent", &code), *e = lookup(EVENT, event);
    if (!s || !e)
        return end(INVALID_HANDLE);
    push(s, (struct work){.op = RECORD, .event = e});
    e->stream = s;
    e->until = s->queued;
    return end(OK);
}

/* NOT_READY is 0, COMPLETE 1. What has failed never is complete. */
int aclrtQueryEventStatus(void *event, int *status)
{
    int code = begin_in_context("aclrtQueryEventStatus");
    if (code != OK)
        return end(code);
    struct object *e = lookup(EVENT, event);
    if (!e)
        return end(INVALID_HANDLE);
    hold(1);
    if (e->stream && !e->stream->live)
        return end(INVALID_HANDLE);
    *status = !e->stream || (e->stream->done >= e->until && e->failed != e->until);
    return end(OK);
}

/* Whoever waits is told of failed work, and nobody after that. */
int aclrtSynchronizeEvent(void *event)
{
    int code = begin_in_context("aclrtSynchronizeEvent");
    struct object *e = lookup(EVENT, event);
    if (!e)
        return end(INVALID_HANDLE);
    struct object *s = e->stream;
    uint64_t until = e->until;
    hold(2);
    if (!e->live)
        fault("aclrtSynchronizeEvent: event destroyed meanwhile");
    if (s && !s->live)
        return end(INVALID_HANDLE);
    if (s) {
        run(s, until);
        if (code == OK)
            code = s->error;
        s->error = OK;
    }
    return end(code);
}

int aclrtStreamWaitEvent(void *stream, void *event)
{
    int code = begin_in_context("aclrtStreamWaitEvent");
    if (code != OK)
        return end(code);
    struct object *s = stream_of(stream, "aclrtStreamWaitEvent", &code), *e = lookup(EVENT, event);
    if (!s || !e)
        return end(INVALID_HANDLE);
    if (!e->stream) {
        fault("aclrtStreamWaitEvent: event was never recorded");
        return end(PARAM_INVALID);
    }
    push(s, (struct work){.op = WAIT, .stream = e->stream, .until = e->until});
    return end(OK);
}
