/* The functions of the CUDA driver that package cuda calls. */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CUresult cuGetErrorName(int code, const char **out) {
  static const struct { int code; const char *name; } names[] = {
      {1, "CUDA_ERROR_INVALID_VALUE"},        {2, "CUDA_ERROR_OUT_OF_MEMORY"},
      {3, "CUDA_ERROR_NOT_INITIALIZED"},      {100, "CUDA_ERROR_NO_DEVICE"},
      {201, "CUDA_ERROR_INVALID_CONTEXT"},    {218, "CUDA_ERROR_INVALID_PTX"},
      {400, "CUDA_ERROR_INVALID_HANDLE"},     {500, "CUDA_ERROR_NOT_FOUND"},
      {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},    {719, "CUDA_ERROR_LAUNCH_FAILED"},
      {801, "CUDA_ERROR_NOT_SUPPORTED"},      {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"},
      {907, "CUDA_ERROR_CAPTURED_EVENT"},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].code == code) return *out = names[i].name, SUCCESS;
  return *out = NULL, INVALID_VALUE;
}

CUresult cuInit(unsigned flags) {
  CUresult r = begin(BARE, "cuInit %u", flags);
  if (!r && devices == 0) r = NO_DEVICE;
  return end(r);
}

CUresult cuDriverGetVersion(int *out) {
  CUresult r = begin(BARE, "cuDriverGetVersion");
  if (!r) *out = 12040;
  return end(r);
}

CUresult cuDeviceGetCount(int *out) {
  CUresult r = begin(BARE, "cuDeviceGetCount");
  if (!r) *out = devices;
  return end(r);
}

CUresult cuDeviceGet(int *out, int ordinal) {
  CUresult r = begin(BARE, "cuDeviceGet %d", ordinal);
  if (!r && (ordinal < 0 || ordinal >= devices)) r = INVALID_DEVICE;
  if (!r) *out = ordinal;
  return end(r);
}

CUresult cuDeviceGetName(char *out, int size, int device) {
  CUresult r = begin(BARE, "cuDeviceGetName %d %d", size, device);
  if (!r) snprintf(out, size, "Fake GPU");
  return end(r);
}

CUresult cuDeviceTotalMem_v2(size_t *out, int device) {
  CUresult r = begin(BARE, "cuDeviceTotalMem_v2 %d", device);
  if (!r) *out = total;
  return end(r);
}

CUresult cuDeviceGetAttribute(int *out, int what, int device) {
  CUresult r = begin(BARE, "cuDeviceGetAttribute %d %d", what, device);
  if (!r) *out = what == 1 ? 1024 : what == 16 ? 132 : what == 75 ? 9 : what == 76 ? 0 : what == 115 ? with_pools : -1;
  return end(r);
}

CUresult cuCtxSetCurrent(void *context) {
  CUresult r = begin(BARE, "cuCtxSetCurrent %s", name(context));
  if (!r && !alive(context, CONTEXT)) r = INVALID_CONTEXT;
  if (!r) current = context;
  return end(r);
}

CUresult cuMemAlloc_v2(void **out, size_t size) {
  CUresult r = begin(IN_CONTEXT, "cuMemAlloc_v2 %zu", size);
  return end(r ? r : allocate(DEVICE, size, out));
}

CUresult cuMemFree_v2(void *p) {
  CUresult r = begin(IN_CONTEXT | DESTROYS, "cuMemFree_v2 %s", name(p));
  return end(r ? r : release(p, DEVICE));
}

CUresult cuMemGetInfo_v2(size_t *free, size_t *all) {
  CUresult r = begin(IN_CONTEXT, "cuMemGetInfo_v2");
  if (!r) *all = total, *free = total - 12345;
  return end(r);
}

CUresult cuMemHostAlloc(void **out, size_t size, unsigned flags) {
  CUresult r = begin(IN_CONTEXT, "cuMemHostAlloc %zu %u", size, flags);
  return end(r ? r : allocate(PINNED, size, out));
}

CUresult cuMemFreeHost(void *p) {
  CUresult r = begin(IN_CONTEXT | DESTROYS, "cuMemFreeHost %s", name(p));
  return end(r ? r : release(p, PINNED));
}

static CUresult copy(CUresult r, void *dst, const void *src, size_t size, void *stream) {
  return end(r ? r : push(stream, (struct op){.what = COPY, .dst = dst, .src = src, .size = size}));
}

CUresult cuMemcpyHtoDAsync_v2(void *dst, const void *src, size_t size, void *stream) {
  CUresult r = begin(IN_CONTEXT, "cuMemcpyHtoDAsync_v2 %s %s %zu %s", name(dst), name(src), size, name(stream));
  return copy(r, dst, src, size, stream);
}

CUresult cuMemcpyDtoHAsync_v2(void *dst, const void *src, size_t size, void *stream) {
  CUresult r = begin(IN_CONTEXT, "cuMemcpyDtoHAsync_v2 %s %s %zu %s", name(dst), name(src), size, name(stream));
  return copy(r, dst, src, size, stream);
}

CUresult cuMemcpyDtoDAsync_v2(void *dst, const void *src, size_t size, void *stream) {
  CUresult r = begin(IN_CONTEXT, "cuMemcpyDtoDAsync_v2 %s %s %zu %s", name(dst), name(src), size, name(stream));
  return copy(r, dst, src, size, stream);
}

CUresult cuMemsetD8Async(void *dst, unsigned char value, size_t size, void *stream) {
  CUresult r = begin(IN_CONTEXT, "cuMemsetD8Async %s %d %zu %s", name(dst), value, size, name(stream));
  return end(r ? r : push(stream, (struct op){.what = SET, .dst = dst, .value = value, .size = size}));
}

CUresult cuModuleLoadDataEx(void **out, const char *image, unsigned count, int *options, void **values) {
  CUresult r = begin(IN_CONTEXT, "cuModuleLoadDataEx %zu", strlen(image));
  if (r) return end(r);
  struct object *m = make(MODULE);
  m->kernels = calloc(MAX_KERNELS, sizeof *m->kernels);
  if (!parse(m, image)) {
    m->live = 0;
    if (count == 2 && options[0] == 5 && options[1] == 6)
      snprintf(values[0], (size_t)values[1], "line 1; there is no .version\n");
    return end(INVALID_PTX);
  }
  *out = m;
  return end(SUCCESS);
}

CUresult cuModuleUnload(void *module) {
  CUresult r = begin(IN_CONTEXT | DESTROYS, "cuModuleUnload %s", name(module));
  return end(r ? r : destroy(module, MODULE));
}

CUresult cuModuleGetFunction(void **out, void *module, const char *which) {
  CUresult r = begin(IN_CONTEXT, "cuModuleGetFunction %s %s", name(module), which);
  if (r) return end(r);
  struct object *m = alive(module, MODULE);
  for (int i = 0; m && i < m->count; i++)
    if (!strcmp(m->kernels[i].name, which)) return *out = &m->kernels[i], end(SUCCESS);
  return end(m ? NOT_FOUND : INVALID_HANDLE);
}

CUresult cuLaunchKernel(struct kernel *k, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, void *stream, void **params, void **extra) {
  char line[200];
  int n = snprintf(line, sizeof line, "%s %ux%ux%u %ux%ux%u %u %s", k->name, gx, gy, gz, bx, by, bz, shared, name(stream));
  struct op o = {.what = LAUNCH, .kernel = k, .blocks = gx, .threads = bx};
  for (int i = 0; i < k->params; i++) {
    memcpy(&o.args[i], params[i], 8);
    const char *at = name((void *)(uintptr_t)o.args[i]);
    if (n < (int)sizeof line)
      n += strcmp(at, "elsewhere") ? snprintf(line + n, sizeof line - n, " %s", at)
                                   : snprintf(line + n, sizeof line - n, " %llu", (unsigned long long)o.args[i]);
  }
  CUresult r = begin(IN_CONTEXT, "cuLaunchKernel %s", line);
  if (!r && (gx == 0 || bx == 0 || bx > 1024 || extra)) r = INVALID_VALUE;
  return end(r ? r : push(stream, o));
}

CUresult cuStreamCreate(void **out, unsigned flags) {
  CUresult r = begin(IN_CONTEXT, "cuStreamCreate %u", flags);
  if (!r) *out = make(STREAM);
  return end(r);
}

CUresult cuStreamDestroy_v2(void *stream) {
  CUresult r = begin(IN_CONTEXT | DESTROYS, "cuStreamDestroy_v2 %s", name(stream));
  if (r) return end(r);
  struct object *s = alive(stream, STREAM);
  if (s && s->queue.done < s->queue.count && !broken) careless("stream destroyed with work left");
  return end(s ? destroy(s, STREAM) : INVALID_HANDLE);
}

/* waitable is what can be asked whether it has come to an end. What is captured cannot. */
static struct object *waitable(CUresult *r, void *p, enum kind kind) {
  struct object *o = *r ? NULL : alive(p, kind);
  if (!*r && !o) *r = INVALID_HANDLE;
  if (o && kind == EVENT && o->captured) *r = CAPTURED_EVENT;
  if (o && kind == STREAM && o->graph) careless("a capture was spoiled"), *r = CAPTURE_UNSUPPORTED;
  return o;
}

CUresult cuStreamSynchronize(void *stream) {
  CUresult r = begin(IN_CONTEXT, "cuStreamSynchronize %s", name(stream));
  struct object *s = waitable(&r, stream, STREAM);
  if (!r) run(s, s->queue.count);
  return end(r ? r : broken);
}

CUresult cuStreamQuery(void *stream) {
  CUresult r = begin(IN_CONTEXT, "cuStreamQuery %s", name(stream));
  struct object *s = waitable(&r, stream, STREAM);
  return end(r ? r : s->queue.done < s->queue.count ? NOT_READY : SUCCESS);
}

CUresult cuEventCreate(void **out, unsigned flags) {
  CUresult r = begin(IN_CONTEXT, "cuEventCreate %u", flags);
  if (!r) *out = make(EVENT);
  return end(r);
}

CUresult cuEventDestroy_v2(void *event) {
  CUresult r = begin(IN_CONTEXT | DESTROYS, "cuEventDestroy_v2 %s", name(event));
  return end(r ? r : destroy(event, EVENT));
}

CUresult cuEventRecord(void *event, void *stream) {
  CUresult r = begin(IN_CONTEXT, "cuEventRecord %s %s", name(event), name(stream));
  if (r) return end(r);
  struct object *e = alive(event, EVENT), *s = alive(stream, STREAM);
  if (!e || !s) return end(INVALID_HANDLE);
  e->recorded = s, e->until = s->queue.count, e->graph = s->graph, e->captured = s->graph != NULL;
  return end(SUCCESS);
}

CUresult cuEventQuery(void *event) {
  CUresult r = begin(IN_CONTEXT, "cuEventQuery %s", name(event));
  struct object *e = waitable(&r, event, EVENT);
  return end(r ? r : e->recorded && e->recorded->queue.done < e->until ? NOT_READY : SUCCESS);
}

CUresult cuEventSynchronize(void *event) {
  CUresult r = begin(IN_CONTEXT, "cuEventSynchronize %s", name(event));
  struct object *e = waitable(&r, event, EVENT);
  if (r) return end(r);
  hold();
  if (!e->live) careless("event destroyed while somebody waits for it");
  if (e->recorded) run(e->recorded, e->until);
  return end(broken);
}

CUresult cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
  CUresult r = begin(IN_CONTEXT, "cuStreamWaitEvent %s %s %u", name(stream), name(event), flags);
  if (r) return end(r);
  struct object *e = alive(event, EVENT), *s = alive(stream, STREAM);
  if (!e || !s) return end(INVALID_HANDLE);
  if (e->graph) s->graph = e->graph; /* what a capture records keeps its order */
  else if (e->recorded) return end(push(s, (struct op){.what = WAIT, .stream = e->recorded, .until = e->until}));
  return end(SUCCESS);
}

CUresult cuStreamBeginCapture_v2(void *stream, int mode) {
  CUresult r = begin(IN_CONTEXT, "cuStreamBeginCapture_v2 %s %d", name(stream), mode);
  struct object *s = r ? NULL : alive(stream, STREAM);
  if (!s) return end(r ? r : INVALID_HANDLE);
  if (s->graph) return end(CAPTURE_UNSUPPORTED);
  s->graph = make(GRAPH);
  return end(SUCCESS);
}

/* A call that fails ends the capture all the same, without a graph. */
CUresult cuStreamEndCapture(void *stream, void **out) {
  CUresult r = begin(IN_CONTEXT, "cuStreamEndCapture %s", name(stream));
  struct object *s = alive(stream, STREAM);
  if (!s || !s->graph) return end(r ? r : INVALID_HANDLE);
  struct object *graph = s->graph;
  for (struct object *o = objects; o; o = o->next)
    if (o->graph == graph) o->graph = NULL;
  if (r) graph->live = 0;
  *out = r ? NULL : graph;
  return end(r);
}

CUresult cuGraphInstantiateWithFlags(void **out, void *graph, unsigned long long flags) {
  CUresult r = begin(IN_CONTEXT, "cuGraphInstantiateWithFlags %s %llu", name(graph), flags);
  struct object *g = r ? NULL : alive(graph, GRAPH);
  if (!g) return end(r ? r : INVALID_HANDLE);
  struct object *e = make(EXEC);
  for (uint64_t i = 0; i < g->queue.count; i++) append(&e->queue, g->queue.ops[i]);
  *out = e;
  return end(SUCCESS);
}

CUresult cuGraphLaunch(void *exec, void *stream) {
  CUresult r = begin(IN_CONTEXT, "cuGraphLaunch %s %s", name(exec), name(stream));
  struct object *e = r ? NULL : alive(exec, EXEC);
  if (!e) return end(r ? r : INVALID_HANDLE);
  for (uint64_t i = 0; !r && i < e->queue.count; i++) r = push(stream, e->queue.ops[i]);
  return end(r);
}

CUresult cuGraphDestroy(void *graph) {
  CUresult r = begin(IN_CONTEXT | DESTROYS, "cuGraphDestroy %s", name(graph));
  return end(r ? r : destroy(graph, GRAPH));
}

CUresult cuGraphExecDestroy(void *exec) {
  CUresult r = begin(IN_CONTEXT | DESTROYS, "cuGraphExecDestroy %s", name(exec));
  return end(r ? r : destroy(exec, EXEC));
}
