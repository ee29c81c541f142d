package planner

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"

	"github.com/seqplan/seqplan/kernels/abi"
)

// hashLayout identifies everything that a layout holds, but for its own
// PlanHash: the first eight bytes of a SHA-256 over all fields in the order of
// their declaration, integers as 8 bytes little-endian, strings and slices with
// their length first. With several streams, where the layout is right only with the
// waits of the steps, these are in it too.
func hashLayout(l *abi.Layout, steps []Step) Hash {
	h := hasher{sha256.New()}
	h.ints(abi.Version)
	h.text(l.Name)
	h.ints(uint64(len(l.Params)))
	for _, p := range l.Params {
		h.text(p.Name)
		h.ints(p.Min, p.Max)
	}
	h.ints(uint64(int64(l.Batch)))
	h.ints(l.Device.Size, l.Device.Align, l.Host.Size, l.Host.Align)
	h.ints(l.ControlOffset, l.SlotsOffset, l.ExtentsOffset, l.ParamsOffset, l.ProgramOffset, l.ArenaAlign)
	h.flags(l.Reuse)
	h.ints(uint64(len(l.Program)))
	h.ints(l.Program...)
	h.ints(uint64(len(l.Buffers)))
	for _, b := range l.Buffers {
		h.text(b.Name)
		h.ints(uint64(b.Scope), b.Offset, b.Size, b.Align, b.ElemSize)
	}
	h.ints(uint64(len(l.Slots)))
	for _, s := range l.Slots {
		h.text(s.Name)
		h.ints(uint64(s.Scope), s.ElemSize, uint64(s.Step))
	}
	h.ints(uint64(len(l.Steps)))
	for _, s := range l.Steps {
		h.text(s.Name)
		h.flags(s.Host, s.Wait, s.Dynamic)
	}
	for i, s := range steps {
		if s.Stream == 0 && len(s.After) == 0 {
			continue // with one stream all are like that
		}
		h.ints(uint64(i), uint64(s.Stream), uint64(len(s.After)))
		for _, a := range s.After {
			h.ints(uint64(a))
		}
	}
	return Hash(binary.BigEndian.Uint64(h.Sum(nil)))
}

type hasher struct{ hash.Hash }

func (h hasher) ints(values ...uint64) {
	var buf [8]byte
	for _, v := range values {
		binary.LittleEndian.PutUint64(buf[:], v)
		_, _ = h.Write(buf[:]) // a hash never fails
	}
}

func (h hasher) text(s string) {
	h.ints(uint64(len(s)))
	_, _ = h.Write([]byte(s))
}

func (h hasher) flags(values ...bool) {
	for _, v := range values {
		if v {
			h.ints(1)
		} else {
			h.ints(0)
		}
	}
}

// String returns 16 hexadecimal digits.
func (h Hash) String() string { return fmt.Sprintf("%016x", uint64(h)) }
