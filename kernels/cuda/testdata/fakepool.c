/* Memory pools of the fake driver. A pool gives out memory of the same size again: at
 * once in the stream that has freed it, elsewhere when the free has run. */
#include "fake.h"

#include <string.h>
#include <sys/mman.h>

enum { RESERVED = 5, RESERVED_HIGH, USED, USED_HIGH };

/* CUmemPoolProps */
struct props {
  unsigned alloc_type, handle_types, location_type;
  int location_id;
  void *security;
  size_t max_size;
  unsigned short usage;
  unsigned char reserved[54];
};
_Static_assert(sizeof(struct props) == 88, "CUmemPoolProps");

CUresult cuMemPoolCreate(void **out, const struct props *p) {
  CUresult r = begin(IN_CONTEXT, "cuMemPoolCreate %u %u %u %d %zu", p->alloc_type, p->handle_types, p->location_type,
                     p->location_id, p->max_size);
  struct props good = {.alloc_type = 1, .location_type = 1, .location_id = p->location_id, .max_size = p->max_size};
  if (!r && (memcmp(p, &good, sizeof good) || p->location_id < 0 || p->location_id >= devices)) {
    careless("wrong properties of a pool");
    r = INVALID_VALUE;
  }
  if (r) return end(r);
  struct object *pool = make(POOL);
  pool->limit = p->max_size ? p->max_size : total;
  for (int i = 1; i <= 3; i++) pool->attr[i] = 1;
  *out = pool;
  return end(SUCCESS);
}

CUresult cuMemPoolDestroy(void *pool) {
  CUresult r = begin(IN_CONTEXT | DESTROYS, "cuMemPoolDestroy %s", name(pool));
  if (r) return end(r);
  for (struct object *o = objects; o; o = o->next)
    if (o->pool == pool && o->live && !o->freed) careless("pool destroyed with live memory");
  return end(destroy(pool, POOL));
}

/* again is memory that the stream may use once more. */
static struct object *again(struct object *pool, size_t size, struct object *s) {
  for (struct object *o = objects; o; o = o->next) {
    if (o->pool != pool || o->size != size) continue;
    if (o->freed == s) {
      s->queue.ops[o->until] = (struct op){.what = NOTHING};
      o->freed = NULL;
      return o;
    }
    if (!o->live) {
      mprotect(o->mem, size, PROT_READ | PROT_WRITE);
      o->live = 1;
      return o;
    }
  }
  return NULL;
}

CUresult cuMemAllocFromPoolAsync(void **out, size_t size, void *pool, void *stream) {
  CUresult r = begin(IN_CONTEXT, "cuMemAllocFromPoolAsync %zu %s %s", size, name(pool), name(stream));
  if (r) return end(r);
  struct object *p = alive(pool, POOL), *s = alive(stream, STREAM);
  if (!p || !s) return end(INVALID_HANDLE);
  if (s->graph) careless("memory of a graph");
  if (size > p->limit - p->attr[USED]) return end(OUT_OF_MEMORY);
  struct object *o = again(p, size, s);
  if (o) {
    *out = o->mem;
  } else {
    if ((r = allocate(DEVICE, size, out))) return end(r);
    o = owner(*out);
    o->pool = p;
  }
  p->attr[USED] += size;
  if (p->attr[RESERVED] < p->attr[USED]) p->attr[RESERVED] = p->attr[USED];
  for (int i = RESERVED; i <= USED; i += 2)
    if (p->attr[i + 1] < p->attr[i]) p->attr[i + 1] = p->attr[i];
  return end(SUCCESS);
}

CUresult cuMemFreeAsync(void *mem, void *stream) {
  CUresult r = begin(IN_CONTEXT, "cuMemFreeAsync %s %s", name(mem), name(stream));
  if (r) return end(r);
  struct object *o = owner(mem), *s = alive(stream, STREAM);
  if (!s) return end(INVALID_HANDLE);
  if (s->graph) careless("memory of a graph");
  if (!o || o->mem != mem || !o->pool || !o->live || o->freed) {
    careless("no memory of a pool, or freed already");
    return end(INVALID_VALUE);
  }
  o->freed = s;
  o->until = s->queue.count;
  o->pool->attr[USED] -= o->size;
  return end(push(s, (struct op){.what = FREE, .src = mem}));
}

CUresult cuMemPoolSetAttribute(void *pool, int attr, void *value) {
  uint64_t v = attr <= 3 ? *(uint32_t *)value : *(uint64_t *)value;
  CUresult r = begin(IN_CONTEXT, "cuMemPoolSetAttribute %s %d %llu", name(pool), attr, (unsigned long long)v);
  struct object *p = r ? NULL : alive(pool, POOL);
  if (!p) return end(r ? r : INVALID_HANDLE);
  if (attr < 1 || attr > USED_HIGH || attr == RESERVED || attr == USED || (attr > RESERVED && v) || (attr <= 3 && v > 1)) {
    careless("an attribute cannot be set so");
    return end(INVALID_VALUE);
  }
  p->attr[attr] = attr > RESERVED ? p->attr[attr - 1] : v;
  return end(SUCCESS);
}

CUresult cuMemPoolGetAttribute(void *pool, int attr, void *value) {
  CUresult r = begin(IN_CONTEXT, "cuMemPoolGetAttribute %s %d", name(pool), attr);
  struct object *p = r ? NULL : alive(pool, POOL);
  if (!p) return end(r ? r : INVALID_HANDLE);
  if (attr < 1 || attr > USED_HIGH) {
    careless("no such attribute");
    return end(INVALID_VALUE);
  }
  if (attr <= 3) *(uint32_t *)value = (uint32_t)p->attr[attr];
  else *(uint64_t *)value = p->attr[attr];
  return end(SUCCESS);
}

CUresult cuMemPoolTrimTo(void *pool, size_t keep) {
  CUresult r = begin(IN_CONTEXT, "cuMemPoolTrimTo %s %zu", name(pool), keep);
  struct object *p = r ? NULL : alive(pool, POOL);
  if (!p) return end(r ? r : INVALID_HANDLE);
  if (keep < p->attr[USED]) keep = p->attr[USED];
  if (p->attr[RESERVED] > keep) p->attr[RESERVED] = keep;
  return end(SUCCESS);
}
