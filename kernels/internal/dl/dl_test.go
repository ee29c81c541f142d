//go:build (linux || darwin) && (amd64 || arm64) && !seqplan_nodevice

package dl_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/internal/dl"
)

func build(t testing.TB) string {
	t.Helper()
	so := filepath.Join(t.TempDir(), "libplain.so")
	out, err := exec.Command(tooltest.Need(t, "gcc"), "-shared", "-fPIC", "-Wall", "-Werror", "-o", so, "testdata/plain.c").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return so
}

func open(t testing.TB) *dl.Library {
	t.Helper()
	l, err := dl.Open(build(t))
	require.NoError(t, err)
	return l
}

func function(t testing.TB, l *dl.Library, name string) dl.Func {
	t.Helper()
	f, err := l.Func(name)
	require.NoError(t, err)
	require.True(t, f.Valid())
	return f
}

func TestOpenTriesInOrder(t *testing.T) {
	so := build(t)
	l, err := dl.Open("libseqplan-none.so", so, "libseqplan-never.so")
	require.NoError(t, err)
	require.Equal(t, so, l.Name())

	_, err = dl.Open("libseqplan-none.so", "/nowhere/libother.so", "", "lib\x00c.so.6")
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	for _, part := range []string{
		"libseqplan-none.so: cannot open shared object", "/nowhere/libother.so: cannot open shared object",
		`"" is no name`, `"lib\x00c.so.6" is no name`,
	} {
		require.ErrorContains(t, err, part)
	}
	_, err = dl.Open()
	require.ErrorIs(t, err, kernels.ErrNotSupported)
}

func TestNames(t *testing.T) {
	const env = "SEQPLAN_TEST_LIBRARY"
	require.Equal(t, []string{"a", "b"}, dl.Names("", env, "a", "b"))
	t.Setenv(env, "mine")
	require.Equal(t, []string{"mine"}, dl.Names("", env, "a", "b"))
	require.Equal(t, []string{"chosen"}, dl.Names("chosen", env, "a", "b"))
}

func TestFunc(t *testing.T) {
	l := open(t)
	_, err := l.Func("plain_none")
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorContains(t, err, "plain_none")
	require.ErrorContains(t, err, l.Name())
	for _, name := range []string{"plain_none", "", "plain_name\x00"} {
		require.False(t, l.Optional(name).Valid(), name)
	}
	require.True(t, l.Optional("plain_name").Valid())
}

func TestCall(t *testing.T) {
	l := open(t)
	weigh := function(t, l, "plain_weigh")
	require.Equal(t, uintptr(1+4+9+16+25+36+49+64+81+100+121), weigh.Call(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11))
	require.Equal(t, ^uintptr(0), weigh.Call(^uintptr(0), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

	require.Equal(t, int32(-2), function(t, l, "plain_minus_two").Status())

	var v uint64
	function(t, l, "plain_write").Call(uintptr(unsafe.Pointer(&v)), 1<<63+5)
	require.Equal(t, uint64(1<<63+5), v)
}

func TestMemory(t *testing.T) {
	l := open(t)
	require.Equal(t, "plain", dl.String(function(t, l, "plain_name").Call()))
	require.Empty(t, dl.String(0))

	const size = 1 << 17
	p := function(t, l, "plain_fill").Call(size, 'x')
	require.NotZero(t, p)
	b := dl.Bytes(p, size)
	require.Equal(t, bytes.Repeat([]byte{'x'}, size), b)
	require.Equal(t, p, dl.Address(b))
	require.Len(t, dl.String(p), 1<<16, "the search for the end has a bound")
	function(t, l, "plain_free").Call(p)
	require.Zero(t, dl.Address(nil))
	require.Zero(t, dl.Address([]byte{}))
}

// The calls of fixed arity pass everything and allocate nothing.
func TestFixedCalls(t *testing.T) {
	l := open(t)
	weigh, write, out := function(t, l, "plain_weigh"), function(t, l, "plain_write"), new(uint64)
	require.Equal(t, int32(506), weigh.Status12(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 99))
	write.Status4(uintptr(unsafe.Pointer(out)), 7, 99, 99)
	require.Equal(t, uint64(7), *out)
	require.Equal(t, int32(-2), function(t, l, "plain_minus_two").Status4(0, 0, 0, 0))
	if raceEnabled { // then a sync.Pool forgets at random
		return
	}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		weigh.Status12(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0)
		write.Status4(uintptr(unsafe.Pointer(out)), 7, 0, 0)
	}))
}

func BenchmarkCall(b *testing.B) {
	weigh := function(b, open(b), "plain_weigh")
	b.Run("variadic", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			weigh.Status(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
		}
	})
	b.Run("fixed", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			weigh.Status12(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0)
		}
	})
}
