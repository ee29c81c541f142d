#define _GNU_SOURCE
#include "fake.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct option {
    int type;
    uint32_t value[4];
};

struct options {
    struct option *options;
    size_t count;
};

/* The image is the path of a shared object whose functions are the kernels. */
int aclrtBinaryLoadFromData(const void *data, size_t size, const struct options *options, void **binary)
{
    int code = begin_in_context("aclrtBinaryLoadFromData");
    if (code != OK)
        return end(code);
    if (!options || options->count != 1 || options->options->type != 2 || options->options->value[0] != 0x41415246) {
        fault("aclrtBinaryLoadFromData: options");
        return end(PARAM_INVALID);
    }
    char *path = strndup(data, size);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    free(path);
    if (!library)
        return end(PARAM_INVALID);
    struct object *o = make(BINARY);
    o->library = library;
    *binary = o;
    return end(OK);
}

int aclrtBinaryGetFunction(void *binary, const char *name, void **function)
{
    int code = begin_in_context("aclrtBinaryGetFunction");
    if (code != OK)
        return end(code);
    struct object *o = lookup(BINARY, binary);
    kernel run = o ? (kernel)(uintptr_t)dlsym(o->library, name) : NULL;
    if (!run)
        return end(PARAM_INVALID);
    struct function *f = malloc(sizeof *f);
    *f = (struct function){o, run};
    *function = f;
    return end(OK);
}

int aclrtBinaryUnLoad(void *binary)
{
    int code = begin_in_context("aclrtBinaryUnLoad");
    struct object *o = lookup(BINARY, binary);
    if (!o)
        return end(INVALID_HANDLE);
    unused(o, "aclrtBinaryUnLoad");
    o->live = 0;
    dlclose(o->library);
    return end(code);
}

int aclrtLaunchKernelWithHostArgs(void *function, uint32_t blocks, void *stream, void *config, void *args, size_t size, void *holders, size_t count)
{
    int code = begin_in_context("aclrtLaunchKernelWithHostArgs");
    if (code != OK)
        return end(code);
    struct object *s = stream_of(stream, "aclrtLaunchKernelWithHostArgs", &code);
    if (!s)
        return end(code);
    struct function *f = function;
    struct work w = {.op = LAUNCH, .run = f->run, .binary = f->binary, .blocks = blocks};
    if (blocks == 0 || config || holders || count || size % 8 || size > sizeof w.args) {
        if (blocks)
            fault("aclrtLaunchKernelWithHostArgs: arguments");
        return end(PARAM_INVALID);
    }
    memcpy(w.args, args, size);
    push(s, w);
    return end(OK);
}
