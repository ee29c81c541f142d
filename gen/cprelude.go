package gen

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/sequences/expr"
)

// language prints what C has in headers and OpenCL C has not.
func (c *cPrinter) language() {
	c.out.WriteString(strings.TrimPrefix(`
#ifdef __OPENCL_C_VERSION__
#ifndef SEQPLAN_TYPES
#define SEQPLAN_TYPES
typedef char int8_t;
typedef uchar uint8_t;
typedef short int16_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;
#define UINT64_C(v) v##UL
#define UINT64_MAX UINT64_C(0xffffffffffffffff)
#endif
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif
`, "\n"))
}

// prelude prints what all generated headers share: the types and constants of
// the ABI, from their Go definition, and the helpers of the accessors. It has a
// guard of its own, so that several headers can be included together.
func (c *cPrinter) prelude() {
	c.line("#ifndef SEQPLAN_ABI_VERSION")
	c.line("#define SEQPLAN_ABI_VERSION %d", abi.Version)
	c.block(`
/* Functions of this header. */
#ifndef SEQPLAN_FN
#if defined(__CUDACC__) || defined(__HIPCC__)
#define SEQPLAN_FN __host__ __device__ static inline
#else
#define SEQPLAN_FN static inline
#endif
#endif

/* Qualifier of pointers into device memory, __gm__ in AscendC. */
#ifndef SEQPLAN_GM
#ifdef __OPENCL_C_VERSION__
#define SEQPLAN_GM __global
#else
#define SEQPLAN_GM
#endif
#endif

/* Constants that are arrays. */
#ifdef __OPENCL_C_VERSION__
#define SEQPLAN_CONSTANT __constant
#else
#define SEQPLAN_CONSTANT static const
#endif

#if defined(__OPENCL_C_VERSION__) /* which has no asserts */
#define SEQPLAN_ALIGNAS(n) __attribute__((aligned(n)))
#define SEQPLAN_STATIC_ASSERT(ok, text) struct seqplan_assert
#elif defined(__cplusplus)
#define SEQPLAN_ALIGNAS(n) alignas(n)
#define SEQPLAN_ALIGNOF(...) alignof(__VA_ARGS__)
#define SEQPLAN_STATIC_ASSERT(ok, text) static_assert(ok, text)
#else
#define SEQPLAN_ALIGNAS(n) _Alignas(n)
#define SEQPLAN_ALIGNOF(...) _Alignof(__VA_ARGS__)
#define SEQPLAN_STATIC_ASSERT(ok, text) _Static_assert(ok, text)
#endif
`)
	c.abiConstants()
	c.line("/* Control block of a pool; line 0 is written by the host, line 1 by the device. */")
	c.abiStruct("seqplan_control", reflect.TypeFor[abi.Control](), abi.ControlAlign)
	c.line("/* Where the device put one dynamic buffer. */")
	c.abiStruct("seqplan_slot", reflect.TypeFor[abi.Slot](), abi.WordSize)
	c.block(`
/* Address of a static buffer. */
SEQPLAN_FN SEQPLAN_GM void *seqplan_at(SEQPLAN_GM void *base, uint64_t offset)
{
    return (SEQPLAN_GM unsigned char *)base + offset;
}

/* The same in a host pool. */
SEQPLAN_FN void *seqplan_host_at(void *base, uint64_t offset)
{
    return (unsigned char *)base + offset;
}

/* Address of a dynamic buffer, and its number of elements if n is not NULL;
   NULL and 0 if it was not placed. slots is the offset of the slot table. */
SEQPLAN_FN SEQPLAN_GM void *seqplan_placed(SEQPLAN_GM void *base, uint64_t slots, uint64_t slot,
                                           uint64_t elem_size, uint64_t *n)
{
    SEQPLAN_GM const seqplan_slot *s = (SEQPLAN_GM const seqplan_slot *)seqplan_at(base, slots) + slot;
    bool placed = s->offset != SEQPLAN_NOT_PLACED;
    if (n != NULL)
        *n = placed ? s->size / elem_size : 0;
    return placed ? seqplan_at(base, s->offset) : NULL;
}

/* The same in host memory: slots is the host's copy of the slot table, in which
   the offsets of host buffers count from base. */
SEQPLAN_FN void *seqplan_host_placed(void *base, const seqplan_slot *slots, uint64_t slot,
                                     uint64_t elem_size, uint64_t *n)
{
    const seqplan_slot *s = slots + slot;
    bool placed = s->offset != SEQPLAN_NOT_PLACED;
    if (n != NULL)
        *n = placed ? s->size / elem_size : 0;
    return placed ? seqplan_host_at(base, s->offset) : NULL;
}

/* A launch-time parameter, as the host wrote it for this batch. params is the
   offset of the parameters. */
SEQPLAN_FN uint64_t seqplan_param(SEQPLAN_GM const void *base, uint64_t params, uint64_t index)
{
    return ((SEQPLAN_GM const uint64_t *)((SEQPLAN_GM const unsigned char *)base + params))[index];
}
`)
	c.block(expr.CPrelude())
	c.line("#elif SEQPLAN_ABI_VERSION != %d", abi.Version)
	c.line("#error \"headers of different seqplan ABI versions in one file\"")
	c.line("#endif /* SEQPLAN_ABI_VERSION */")
	c.line("")
}

func (c *cPrinter) abiConstants() {
	c.line("/* Constants of the ABI. */")
	c.define("SEQPLAN_MAGIC", abi.Magic)
	c.define("SEQPLAN_PROGRAM_MAGIC", abi.ProgramMagic)
	c.define("SEQPLAN_NOT_PLACED", abi.NotPlaced)
	c.define("SEQPLAN_NO_SLOT", abi.NoSlot)
	c.define("SEQPLAN_FLAG_REUSE", abi.FlagReuse)
	for code := abi.OK; code.String() != "unknown"; code++ {
		name := "SEQPLAN_CODE_" + strings.ToUpper(strings.ReplaceAll(code.String(), " ", "_"))
		c.define(name, uint64(code))
	}
	c.line("")
}

// abiStruct prints a struct of the ABI with asserts on its size and offsets.
func (c *cPrinter) abiStruct(name string, t reflect.Type, align int) {
	fields := slices.DeleteFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool { return f.Anonymous })
	c.line("typedef struct %s {", name)
	for i, f := range fields {
		qualifier := ""
		if i == 0 {
			qualifier = fmt.Sprintf("SEQPLAN_ALIGNAS(%d) ", align)
		}
		c.line("    %suint64_t %s;", qualifier, cFieldOf(f))
	}
	c.line("} %s;", name)
	c.line("SEQPLAN_STATIC_ASSERT(sizeof(%s) == %d, \"%s\");", name, t.Size(), name)
	c.line("SEQPLAN_STATIC_ASSERT(SEQPLAN_ALIGNOF(%s) == %d, \"%s\");", name, align, name)
	for _, f := range fields {
		c.line("SEQPLAN_STATIC_ASSERT(offsetof(%s, %s) == %d, \"%s.%s\");", name, cFieldOf(f), offsetIn(t, f), name, cFieldOf(f))
	}
	c.line("")
}

// offsetIn is the offset of a field of t or of one of its embedded structs.
func offsetIn(t reflect.Type, f reflect.StructField) uintptr {
	var offset uintptr
	for _, i := range f.Index {
		offset += t.Field(i).Offset
		t = t.Field(i).Type
	}
	return offset
}

// cFieldOf is the C name of a Go field: ArenaStart becomes arena_start.
func cFieldOf(f reflect.StructField) string {
	var b strings.Builder
	for i, r := range f.Name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
