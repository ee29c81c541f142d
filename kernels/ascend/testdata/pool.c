/* The memory pools of the fake. The host decides at once which memory an allocation
 * gets; the memory is there for work that runs between the allocation and the free in
 * the order of the streams. */
#include "fake.h"

#include <string.h>

struct location {
    uint32_t id, type;
};

struct props {
    uint32_t alloc_type, handle_type;
    struct location location;
    size_t max_size;
    unsigned char reserved[32];
};

enum { SWITCHES = 3, THRESHOLD = 4, RESERVED, RESERVED_HIGH, USED, USED_HIGH };

extern int fake_off;

static uint64_t sum(const struct object *pool, int used)
{
    uint64_t n = 0;
    for (struct object *o = first(); o; o = o->next)
        n += o->pool == pool && o->live && (!used || o->used) ? o->size : 0;
    return n;
}

static void highs(struct object *pool)
{
    uint64_t reserved = sum(pool, 0), used = sum(pool, 1);
    if (reserved > pool->reserved_high)
        pool->reserved_high = reserved;
    if (used > pool->used_high)
        pool->used_high = used;
}

static void give_back(struct object *block)
{
    block->live = 0;
    unmap((char *)block->addr, block->size);
}

static void trim(const struct object *pool, uint64_t min)
{
    uint64_t reserved = sum(pool, 0);
    for (struct object *o = first(); o; o = o->next)
        if (o->pool == pool && o->live && !o->used && !o->pending && reserved >= min + o->size) {
            reserved -= o->size;
            give_back(o);
        }
}

void synchronized(void)
{
    for (struct object *p = first(); p; p = p->next)
        if (p->kind == POOL && p->live)
            trim(p, p->threshold);
}

static void fill(struct object *block, int value)
{
    if (block->size <= 1 << 20)
        memset((void *)block->addr, value, block->size);
}

void allocated(struct object *block)
{
    block->pending--;
    block->mapped = 1;
    fill(block, 0xA5);
}

void freed(struct object *block)
{
    block->pending--;
    block->mapped = 0;
    fill(block, 0xDD);
}

void abandon(const struct object *context)
{
    for (struct object *p = first(); failed() && p; p = p->next)
        if (p->kind == POOL && p->live && p->context == context && sum(p, 1)) {
            p->live = 0;
            for (struct object *o = first(); o; o = o->next)
                if (o->pool == p && o->live)
                    give_back(o);
        }
}

int aclrtMemPoolCreate(void **out, const struct props *props)
{
    int code = begin_in_context("aclrtMemPoolCreate");
    if (code != OK)
        return end(code);
    int zero = 1;
    for (size_t i = 0; i < sizeof props->reserved; i++)
        zero = zero && props->reserved[i] == 0;
    if (props->alloc_type != 0 || props->handle_type != 0 || props->location.type != 1 || !zero ||
        props->location.id != (uint32_t)current->device) {
        fault("aclrtMemPoolCreate: allocation type %u, handle type %u, location {%u, %u}, reserved %s", props->alloc_type,
              props->handle_type, props->location.id, props->location.type, zero ? "clear" : "used");
        return end(PARAM_INVALID);
    }
    if (props->max_size > MEMORY)
        return end(MEMORY_ALLOCATION);
    struct object *p = make(POOL);
    p->size = props->max_size ? props->max_size : MEMORY;
    for (int i = 1; i <= SWITCHES; i++)
        p->switches[i] = 1;
    *out = p;
    return end(OK);
}

int aclrtMemPoolDestroy(void *pool)
{
    int code = begin_in_context("aclrtMemPoolDestroy");
    struct object *p = lookup(POOL, pool);
    if (!p)
        return end(INVALID_HANDLE);
    if (sum(p, 1))
        fault("aclrtMemPoolDestroy: %lu bytes are in use", sum(p, 1));
    for (struct object *o = first(); o; o = o->next)
        if (o->pool == p && o->live) {
            if (o->pending)
                fault("aclrtMemPoolDestroy: an allocation or a free is queued");
            give_back(o);
        }
    p->live = 0;
    return end(code);
}

/* Memory whose last free was in the same stream may be used again at once. Of what
 * fits the smallest is taken. */
static struct object *reusable(const struct object *pool, const struct object *stream, uint64_t size)
{
    struct object *best = NULL;
    for (struct object *o = first(); o; o = o->next)
        if (o->pool == pool && o->live && !o->used && (!o->pending || o->last == stream) && o->size >= size)
            if (!best || o->size < best->size)
                best = o;
    return best;
}

int aclrtMemPoolMallocAsync(void **out, size_t size, void *pool, void *stream)
{
    int code = begin_in_context("aclrtMemPoolMallocAsync");
    if (code != OK)
        return end(code);
    struct object *p = lookup(POOL, pool), *s = stream_of(stream, "aclrtMemPoolMallocAsync", &code);
    if (!p || !s)
        return end(INVALID_HANDLE);
    if (size == 0 || size % LINE) {
        fault("aclrtMemPoolMallocAsync: %zu bytes", size);
        return end(PARAM_INVALID);
    }
    hold(4);
    struct object *block = reusable(p, s, size);
    if (!block) {
        char *addr = size <= p->size - sum(p, 0) ? mapped(size) : NULL;
        if (!addr)
            return end(MEMORY_ALLOCATION);
        block = make(DEVICE_MEMORY);
        block->addr = (uint64_t)addr;
        block->size = size;
        block->pool = p;
    }
    block->used = 1;
    block->pending++;
    highs(p);
    push(s, (struct work){.op = MALLOC, .block = block});
    *out = (void *)block->addr;
    return end(OK);
}

int aclrtMemPoolFreeAsync(void *addr, void *stream)
{
    int code = begin_in_context("aclrtMemPoolFreeAsync");
    if (code != OK)
        return end(code);
    struct object *s = stream_of(stream, "aclrtMemPoolFreeAsync", &code);
    struct object *block = block_of(DEVICE_MEMORY, (uint64_t)addr, 1);
    if (!s)
        return end(INVALID_HANDLE);
    if (!block || !block->pool || block->addr != (uint64_t)addr) {
        fault("aclrtMemPoolFreeAsync: %p is not allocated", addr);
        return end(PARAM_INVALID);
    }
    block->used = 0;
    block->pending++;
    block->last = s;
    push(s, (struct work){.op = FREE, .block = block});
    hold(8);
    return end(OK);
}

/* As in the source of the runtime, less than what is in use is refused, and more than
 * the pool can hold. */
int aclrtMemPoolTrimTo(void *pool, size_t min)
{
    int code = begin_in_context("aclrtMemPoolTrimTo");
    if (code != OK)
        return end(code);
    struct object *p = lookup(POOL, pool);
    if (!p)
        return end(INVALID_HANDLE);
    if (min > p->size || min < sum(p, 1))
        return end(INTERNAL_ERROR);
    trim(p, min);
    return end(OK);
}

int aclrtMemPoolSetAttr(void *pool, int attr, const void *value)
{
    int code = begin_in_context("aclrtMemPoolSetAttr");
    if (code != OK)
        return end(code);
    struct object *p = lookup(POOL, pool);
    if (!p)
        return end(INVALID_HANDLE);
    if (attr >= 1 && attr <= SWITCHES) {
        uint32_t on = *(const uint32_t *)value;
        if (on > 1)
            fault("aclrtMemPoolSetAttr: attribute %d of %u", attr, on);
        p->switches[attr] = on ? 1 : (uint32_t)fake_off;
        return end(OK);
    }
    uint64_t n = *(const uint64_t *)value;
    if (attr == THRESHOLD && n <= p->size)
        p->threshold = n;
    else if (attr == RESERVED_HIGH && n == 0)
        p->reserved_high = 0;
    else if (attr == USED_HIGH && n == 0)
        p->used_high = 0;
    else {
        if (attr != THRESHOLD)
            fault("aclrtMemPoolSetAttr: attribute %d of %lu", attr, n);
        return end(PARAM_INVALID);
    }
    highs(p);
    return end(OK);
}

/* Writes no more than the width of the attribute. */
int aclrtMemPoolGetAttr(void *pool, int attr, void *value)
{
    int code = begin_in_context("aclrtMemPoolGetAttr");
    if (code != OK)
        return end(code);
    struct object *p = lookup(POOL, pool);
    if (!p)
        return end(INVALID_HANDLE);
    if (attr >= 1 && attr <= SWITCHES) {
        *(uint32_t *)value = p->switches[attr];
        return end(OK);
    }
    uint64_t *n = value;
    switch (attr) {
    case THRESHOLD:
        *n = p->threshold;
        break;
    case RESERVED:
        *n = sum(p, 0);
        break;
    case RESERVED_HIGH:
        *n = p->reserved_high;
        break;
    case USED:
        *n = sum(p, 1);
        break;
    case USED_HIGH:
        *n = p->used_high;
        break;
    default:
        fault("aclrtMemPoolGetAttr: attribute %d", attr);
        return end(PARAM_INVALID);
    }
    return end(OK);
}
