package ascend_test

import (
	"errors"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/internal/dl"
)

// Copies from anywhere to anywhere give what they would give one after the other.
// The fake runs what is queued late, and refuses addresses that are not aligned and
// memory that is not pinned.
func TestCopies(t *testing.T) {
	f := newFake(t)
	d := f.open()
	s, err := d.NewStream()
	require.NoError(t, err)
	const size = 320
	a, err := d.Alloc(size)
	require.NoError(t, err)
	b, err := d.Alloc(size)
	require.NoError(t, err)
	m, err := d.AllocHost(size)
	require.NoError(t, err)
	device := []kernels.Addr{a, b}
	rapid.Check(t, func(t *rapid.T) {
		got := [][]byte{m.Bytes(), make([]byte, size)} // pinned or not
		var host, memory [2][]byte                     // what all should hold
		for i := range 2 {
			memory[i], host[i] = make([]byte, size), slices.Repeat([]byte{byte(i + 1)}, size)
			copy(got[i], host[i])
			require.NoError(t, s.Memset(device[i], 0, size))
		}
		coin := rapid.IntRange(0, 1)
		offset := rapid.OneOf(rapid.SampledFrom([]int{0, 64, 128}), rapid.IntRange(0, 200))
		for i := range rapid.IntRange(1, 12).Draw(t, "steps") {
			n := rapid.IntRange(0, 100).Draw(t, "bytes")
			x, y, j, k := offset.Draw(t, "to"), offset.Draw(t, "from"), coin.Draw(t, "to which"), coin.Draw(t, "from which")
			var err error
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				err = s.CopyToDevice(device[j]+kernels.Addr(x), got[k][y:y+n])
				copy(memory[j][x:x+n], host[k][y:])
			case 1:
				err = s.CopyToHost(got[j][x:x+n], device[k]+kernels.Addr(y))
				copy(host[j][x:x+n], memory[k][y:])
			case 2:
				k = 1 - j // the ranges of a copy must not overlap
				err = s.CopyDevice(device[j]+kernels.Addr(x), device[k]+kernels.Addr(y), uint64(n))
				copy(memory[j][x:x+n], memory[k][y:])
			case 3:
				err = s.Memset(device[j]+kernels.Addr(x), byte(i+10), uint64(n))
				copy(memory[j][x:x+n], slices.Repeat([]byte{byte(i + 10)}, n))
			}
			require.NoError(t, err)
		}
		require.NoError(t, s.Synchronize())
		for i := range 2 {
			require.Equal(t, host[i], got[i])
			whole := make([]byte, size)
			require.NoError(t, s.CopyToHost(whole, device[i]))
			require.Equal(t, memory[i], whole)
		}
	})
	require.NoError(t, errors.Join(s.Close(), d.Free(a), d.Free(b), m.Free(), d.Close()))
}

// Memory beside what AllocHost returned is not pinned, be it aligned or not.
func TestNotPinned(t *testing.T) {
	f := newFake(t)
	d := f.open()
	s, err := d.NewStream()
	require.NoError(t, err)
	a, err := d.Alloc(4096)
	require.NoError(t, err)
	var other [][]byte // below and above
	outside := func() { other = append(other, dl.Bytes(f.call("fake_outside", 4096), 4096)) }
	outside()
	m, err := d.AllocHost(128)
	require.NoError(t, err)
	outside()
	other = append(other, unsafe.Slice(unsafe.SliceData(m.Bytes()), 192)) // reaches over its end
	for i, b := range other {
		copy(b, "abc")
		require.NoError(t, s.CopyToDevice(a, b), i)
		require.NoError(t, s.CopyToHost(b, a), i)
		require.Equal(t, "abc", string(b[:3]))
	}
	require.Zero(t, f.count("aclrtMemcpyAsync"))
	require.NoError(t, errors.Join(s.Close(), d.Free(a), m.Free(), d.Close()))
}

// What is left to the queue: aligned copies of pinned memory, or with the option
// all of pinned memory.
func TestQueuedCopies(t *testing.T) {
	f := newFake(t)
	for _, unaligned := range []bool{false, true} {
		f.reset()
		if unaligned {
			f.allowUnaligned()
		}
		f.options.UnalignedAsync = unaligned
		d, err := f.open(), error(nil)
		s, err := d.NewStream()
		require.NoError(t, err)
		a, err := d.Alloc(200)
		require.NoError(t, err)
		m, err := d.AllocHost(200)
		require.NoError(t, err)
		free := make([]byte, 200)
		for _, test := range []struct {
			name   string
			copy   func() error
			queued bool
		}{
			{"aligned in", func() error { return s.CopyToDevice(a+64, m.Bytes()[64:99]) }, true},
			{"aligned out", func() error { return s.CopyToHost(m.Bytes()[128:], a) }, true},
			{"aligned inside", func() error { return s.CopyDevice(a+128, a, 5) }, true},
			{"host not aligned", func() error { return s.CopyToDevice(a, m.Bytes()[8:64]) }, unaligned},
			{"device not aligned", func() error { return s.CopyToHost(m.Bytes()[64:128], a+8) }, unaligned},
			{"inside not aligned", func() error { return s.CopyDevice(a+100, a, 50) }, unaligned},
			{"not pinned in", func() error { return s.CopyToDevice(a, free) }, false},
			{"not pinned out", func() error { return s.CopyToHost(free, a) }, false},
		} {
			before := f.count("aclrtMemcpyAsync")
			require.NoError(t, test.copy(), test.name)
			require.Equal(t, test.queued, f.count("aclrtMemcpyAsync") > before, test.name)
		}
		require.NoError(t, errors.Join(s.Close(), d.Free(a), m.Free(), d.Close()))
	}
}
