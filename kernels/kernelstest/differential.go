package kernelstest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"

	"github.com/seqplan/seqplan/kernels"
)

// Case is a device pool and the launches that run on it, one after another.
//
// A driver in another language reads cases from a file and writes what its kernels
// leave. Everything in both files is a little-endian uint64:
//
//	number of cases
//	for each case:
//	  P            bytes of the pool, a multiple of 8
//	  S, T         scratch: the bytes [S, S+T) of the pool, multiples of 8
//	  the pool     P bytes
//	  L            number of launches
//	  for each launch:
//	    kernel     index in kernels.Builtins(), or one more for AllocKernel
//	    8 words    its arguments; addresses are offsets in the pool
//
// and for each case it writes:
//
//	L words        the hash of the pool after each launch
//	the pool       P bytes, after the last launch
//
// The hash is that of Hash: kernels may leave anything in the scratch. No launch
// leads outside the pool: a device could not know where it ends.
type Case struct {
	Seed     uint64 // of Draw
	Pool     []byte
	Scratch  [2]uint64 // offset and size of what is not compared
	Launches []Launch
}

// Launch is one launch of a case.
type Launch struct {
	Kernel int          // index in kernels.Builtins(), or AllocIndex
	Args   kernels.Args // addresses are offsets in the pool
}

// AllocKernel is a kernel of the tests that calls the inline function that kernels
// allocate with, and stores the offset that it returns in a word of the pool.
// Arguments: base, control offset, size, offset of the word.
const AllocKernel = "seqplan_test_alloc"

// AllocIndex is the index of AllocKernel in a Launch.
func AllocIndex() int { return len(kernels.Builtins()) }

// Name returns the name of the kernel.
func (l Launch) Name() string {
	if l.Kernel == AllocIndex() {
		return AllocKernel
	}
	return kernels.Builtins()[l.Kernel].Name
}

// Hash hashes the words of a pool outside the scratch of the case: it starts with 0
// and for each word w becomes rotl(hash^w, 29) * 0x9E3779B97F4A7C15.
func (c *Case) Hash(pool []byte) uint64 {
	h := uint64(0)
	for at := 0; at+8 <= len(pool); at += 8 {
		if uint64(at)-c.Scratch[0] < c.Scratch[1] {
			continue
		}
		h = bits.RotateLeft64(h^binary.LittleEndian.Uint64(pool[at:]), 29) * 0x9E3779B97F4A7C15
	}
	return h
}

// WriteCases writes the file that a driver reads.
func WriteCases(w io.Writer, cases []*Case) error {
	var b []byte
	put := binary.LittleEndian.AppendUint64
	b = put(b, uint64(len(cases)))
	for _, c := range cases {
		b = put(put(put(b, uint64(len(c.Pool))), c.Scratch[0]), c.Scratch[1])
		b = put(append(b, c.Pool...), uint64(len(c.Launches)))
		for _, l := range c.Launches {
			b = put(b, uint64(l.Kernel))
			for _, a := range l.Args {
				b = put(b, a)
			}
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		b = b[:0]
	}
	return nil
}

// CompareCases reads what a driver wrote and compares it with the oracle. The error
// names the first launch after which the pools differ.
func CompareCases(r io.Reader, cases []*Case) error {
	for _, c := range cases {
		out := make([]byte, 8*len(c.Launches)+len(c.Pool))
		if _, err := io.ReadFull(r, out); err != nil {
			return fmt.Errorf("case %d: %w", c.Seed, err)
		}
		var failed error
		want := c.Expect(func(i int, pool []byte) {
			if got := binary.LittleEndian.Uint64(out[8*i:]); failed == nil && got != c.Hash(pool) {
				failed = fmt.Errorf("case %d: the pools differ after launch %d: %s %v", c.Seed, i, c.Launches[i].Name(), c.Launches[i].Args)
			}
		})
		if failed != nil {
			return failed
		}
		if err := c.Compare(want, out[8*len(c.Launches):]); err != nil {
			return err
		}
	}
	return nil
}

// Compare compares two pools outside the scratch. The error names the first word in
// which they differ.
func (c *Case) Compare(want, got []byte) error {
	for at := 0; at+8 <= len(want); at += 8 {
		if uint64(at)-c.Scratch[0] >= c.Scratch[1] && !bytes.Equal(want[at:at+8], got[at:at+8]) {
			return fmt.Errorf("case %d: the word at %d is %#x, want %#x", c.Seed, at,
				binary.LittleEndian.Uint64(got[at:]), binary.LittleEndian.Uint64(want[at:]))
		}
	}
	return nil
}
