/* An OpenCL library for tests that hands every call on to the real one. It counts
   the objects that are alive, finds calls with dead ones, and fails a chosen call.
   All arguments of the functions used are integers or pointers, so that one shape
   of ten words fits all. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

typedef intptr_t word;
typedef word any(word, word, word, word, word, word, word, word, word, word);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *real;

/* Objects that are alive, each with its references; a mapping counts as one. */
static struct { word handle; long refs; } objects[1 << 12];
static long live, dead_uses;

static long calls, waits, fail_at;
static enum { ONE, COMMAND, ALL_LATER } mode; /* COMMAND: the call of clGetEventInfo with that number says so */
static int fail_code;
static const char *failed;

static unsigned property;
static const void *property_value;
static size_t property_size;

static void *symbol(const char *name)
{
    if (!real)
        real = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    return real ? dlsym(real, name) : 0;
}

static void add(word handle, long refs)
{
    int at = -1;
    for (int i = 0; i < 1 << 12; i++) {
        if (objects[i].refs > 0 && objects[i].handle == handle) {
            at = i;
            break;
        }
        if (at < 0 && objects[i].refs == 0)
            at = i;
    }
    if (refs < 0 && (at < 0 || objects[at].refs <= 0 || objects[at].handle != handle)) {
        dead_uses++;
        return;
    }
    objects[at].handle = handle;
    objects[at].refs += refs;
    live += refs;
}

static void used(word handle)
{
    for (int i = 0; i < 1 << 12; i++)
        if (objects[i].refs > 0 && objects[i].handle == handle)
            return;
    dead_uses++;
}

/* What the control functions below return and set belongs to the test. */
word shim_arm(word at, word code, word what)
{
    calls = waits = live = dead_uses = 0;
    memset(objects, 0, sizeof objects);
    fail_at = at, fail_code = (int)code, mode = what;
    failed = 0;
    return 0;
}
word shim_live(void) { return live; }
word shim_waits(void) { return waits; }
word shim_dead_uses(void) { return dead_uses; }
word shim_failed(void) { return (word)failed; }
word shim_property(word key, word value, word size)
{
    property = (unsigned)key, property_value = (const void *)value, property_size = (size_t)size;
    return 0;
}

enum kind { QUERY, STATUS, WAIT, CREATE, RELEASE, RETAIN, ENQUEUE, MAP, UNMAP };

static word call(const char *name, enum kind kind, int own, int out, word *a)
{
    pthread_mutex_lock(&lock);
    any *f = (any *)symbol(name);
    int counts = mode != COMMAND || strcmp(name, "clGetEventInfo") == 0;
    calls += counts;
    int fail = fail_at && counts && (calls == fail_at || (mode == ALL_LATER && calls > fail_at));
    waits += strcmp(name, "clWaitForEvents") == 0;
    if (own)
        used(a[0]);
    if (fail && !failed)
        failed = name;
    /* What gives back is done all the same, and so is waiting, without which memory
       would be given back too early. */
    int skip = fail && mode != COMMAND && kind != RELEASE && kind != UNMAP && (kind != WAIT || mode == ONE);
    if (kind == RELEASE)
        add(a[0], -1);
    if (kind == UNMAP)
        add(a[2], -1);
    pthread_mutex_unlock(&lock);

    word r = 0;
    if (!skip)
        r = f(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]);
    if (kind == CREATE || kind == MAP) {
        if (skip)
            *(int32_t *)a[out] = fail_code;
        if (!skip && *(int32_t *)a[out] == 0) {
            pthread_mutex_lock(&lock);
            add(r, 1);
            pthread_mutex_unlock(&lock);
        }
        return r;
    }
    int code = fail && mode != COMMAND ? fail_code : (int)r;
    if (fail && mode == COMMAND)
        *(int32_t *)a[3] = fail_code;
    if (code == 0 && (kind == RETAIN || (kind == ENQUEUE && a[out]))) {
        pthread_mutex_lock(&lock);
        add(kind == RETAIN ? a[0] : *(word *)a[out], 1);
        pthread_mutex_unlock(&lock);
    }
    return code;
}

/* own: the first argument is an object that is counted; out: where the driver writes
   the code of a creation, or the event of a command. */
#define FUNCTION(name, kind, own, out)                                                                     \
    word name(word a, word b, word c, word d, word e, word f, word g, word h, word i, word j)              \
    {                                                                                                      \
        word args[] = {a, b, c, d, e, f, g, h, i, j};                                                      \
        return call(#name, kind, own, out, args);                                                          \
    }

FUNCTION(clGetPlatformIDs, QUERY, 0, 0)
FUNCTION(clGetPlatformInfo, QUERY, 0, 0)
FUNCTION(clGetDeviceIDs, QUERY, 0, 0)
FUNCTION(clCreateContext, CREATE, 0, 5)
FUNCTION(clReleaseContext, RELEASE, 1, 0)
FUNCTION(clCreateCommandQueue, CREATE, 1, 3)
FUNCTION(clRetainCommandQueue, RETAIN, 1, 0)
FUNCTION(clReleaseCommandQueue, RELEASE, 1, 0)
FUNCTION(clCreateBuffer, CREATE, 1, 4)
FUNCTION(clReleaseMemObject, RELEASE, 1, 0)
FUNCTION(clCreateProgramWithSource, CREATE, 1, 4)
FUNCTION(clBuildProgram, STATUS, 1, 0)
FUNCTION(clGetProgramBuildInfo, QUERY, 1, 0)
FUNCTION(clReleaseProgram, RELEASE, 1, 0)
FUNCTION(clCreateKernel, CREATE, 1, 2)
FUNCTION(clReleaseKernel, RELEASE, 1, 0)
FUNCTION(clGetKernelInfo, QUERY, 1, 0)
FUNCTION(clGetKernelWorkGroupInfo, QUERY, 1, 0)
FUNCTION(clSetKernelArg, STATUS, 1, 0)
FUNCTION(clEnqueueNDRangeKernel, ENQUEUE, 1, 8)
FUNCTION(clEnqueueReadBuffer, ENQUEUE, 1, 8)
FUNCTION(clEnqueueWriteBuffer, ENQUEUE, 1, 8)
FUNCTION(clEnqueueCopyBuffer, ENQUEUE, 1, 8)
FUNCTION(clEnqueueFillBuffer, ENQUEUE, 1, 8)
FUNCTION(clEnqueueMapBuffer, MAP, 1, 9)
FUNCTION(clEnqueueUnmapMemObject, UNMAP, 1, 0)
FUNCTION(clEnqueueMarkerWithWaitList, ENQUEUE, 1, 3)
FUNCTION(clEnqueueBarrierWithWaitList, ENQUEUE, 1, 3)
FUNCTION(clGetEventInfo, QUERY, 1, 0)
FUNCTION(clWaitForEvents, WAIT, 0, 0)
FUNCTION(clRetainEvent, RETAIN, 1, 0)
FUNCTION(clReleaseEvent, RELEASE, 1, 0)
FUNCTION(clFlush, STATUS, 1, 0)
#ifndef WITHOUT_FINISH
FUNCTION(clFinish, WAIT, 1, 0)
#endif

word clGetDeviceInfo(word device, word key, word size, word value, word n, word f, word g, word h, word i, word j)
{
    if (property_value && key == property) {
        if (value)
            memcpy((void *)value, property_value, (size_t)size < property_size ? (size_t)size : property_size);
        if (n)
            *(size_t *)n = property_size;
        return 0;
    }
    word args[] = {device, key, size, value, n, f, g, h, i, j};
    return call("clGetDeviceInfo", QUERY, 0, 0, args);
}
