/* The work of the fake driver: queues, kernels, capture. */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whoever links the fake may bring kernels: hostkernels.cc does. Device addresses are
 * host addresses; the result is the error of the launch. Without it the kernels of a
 * launch do not run, they are only recorded. */
int run_kernel(const char *name, uint32_t blocks, uint32_t threads, const uint64_t *args) __attribute__((weak));

void append(struct queue *q, struct op o) {
  if (q->count == q->room) q->ops = realloc(q->ops, (q->room = 2 * q->room + 8) * sizeof o);
  q->ops[q->count++] = o;
}

CUresult push(void *stream, struct op o) {
  struct object *s = alive(stream, STREAM);
  if (!s) return INVALID_HANDLE;
  append(s->graph ? &s->graph->queue : &s->queue, o);
  return SUCCESS;
}

static int good(const void *p, size_t size) { return memory(p, size) || !owner(p); }

static int launch(struct op *o) {
  const char *k = o->kernel->name;
  if (!o->kernel->module->live) return ILLEGAL_ADDRESS;
  if (!strcmp(k, "test_copy")) { /* (dst, src, address of the number of bytes) */
    const uint64_t *n = (const uint64_t *)(uintptr_t)o->args[2];
    void *dst = (void *)(uintptr_t)o->args[0], *src = (void *)(uintptr_t)o->args[1];
    if (!memory(n, 8) || (*n && (!memory(dst, *n) || !memory(src, *n)))) return ILLEGAL_ADDRESS;
    memcpy(dst, src, *n);
    return SUCCESS;
  }
  if (!strcmp(k, "test_fault")) return ILLEGAL_ADDRESS;
  return run_kernel ? run_kernel(k, o->blocks, o->threads, o->args) : SUCCESS;
}

void run(struct object *s, uint64_t until) {
  while (s->live && !broken && s->queue.done < until) {
    struct op *o = &s->queue.ops[s->queue.done++];
    switch (o->what) {
      case COPY:
        if (good(o->dst, o->size) && good(o->src, o->size)) memmove(o->dst, o->src, o->size);
        else broken = ILLEGAL_ADDRESS;
        break;
      case SET:
        if (memory(o->dst, o->size)) memset(o->dst, o->value, o->size);
        else broken = ILLEGAL_ADDRESS;
        break;
      case LAUNCH:
        broken = launch(o);
        break;
      case WAIT:
        run(o->stream, o->until);
        break;
      case FREE:
        returned(owner(o->src));
        break;
      case NOTHING:
        break;
    }
  }
}

/* touched says whether work that has not run names a piece of memory. */
int touched(struct object *mem) {
  for (struct object *s = objects; s; s = s->next) {
    if (s->kind != STREAM || !s->live) continue;
    for (uint64_t i = s->queue.done; i < s->queue.count; i++) {
      struct op *o = &s->queue.ops[i];
      if (owner(o->dst) == mem || owner(o->src) == mem) return 1;
      for (int a = 0; o->what == LAUNCH && a < o->kernel->params; a++)
        if (owner((void *)(uintptr_t)o->args[a]) == mem) return 1;
    }
  }
  return 0;
}

/* parse finds the kernels of a PTX text and how many parameters each has. */
int parse(struct object *m, const char *image) {
  const char *p = strstr(image, ".version");
  if (!p) return 0;
  while ((p = strstr(p, ".entry")) && m->count < MAX_KERNELS) {
    struct kernel *k = &m->kernels[m->count++];
    k->module = m;
    p += strlen(".entry");
    p += strspn(p, " \t\n");
    size_t n = strcspn(p, "( \t\n{");
    if (n >= sizeof k->name) return 0;
    memcpy(k->name, p, n);
    const char *close = strchr(p, ')'), *body = strchr(p, '{');
    if (!body) return 0;
    for (const char *q = p; close && close < body && (q = strstr(q, ".param")) && q < close; q++) k->params++;
    if (k->params > MAX_PARAMS) return 0;
    p = body;
  }
  return 1;
}
