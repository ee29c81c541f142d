package trace

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// Kind says what an operation of a trace is.
type Kind uint8

// The kinds of operations.
const (
	Alloc Kind = iota // Size bytes as ID, for work of the stream from now on
	Free              // of ID, in the stream that allocated it
	Work              // the stream gets work that uses what is live there
	Sync              // the host waits for the stream
)

// Op is one operation.
type Op struct {
	Kind   Kind
	Stream int
	ID     int    // Alloc, Free: of the allocation
	Size   uint64 // Alloc, Free: bytes, above 0
}

// Trace is a list of operations. Everything that it allocates it frees.
type Trace struct {
	Ops     []Op
	Streams int // numbered from 0
	IDs     int // allocations, numbered from 0 in their order
}

// Calls returns the number of allocations and frees.
func (t *Trace) Calls() int { return 2 * t.IDs }

// Peak returns the most bytes that are live at any time, with each size as rounded.
func (t *Trace) Peak(rounded func(uint64) uint64) uint64 {
	var live, peak uint64
	for i := range t.Ops {
		switch o := &t.Ops[i]; o.Kind {
		case Alloc:
			live += rounded(o.Size)
			peak = max(peak, live)
		case Free:
			live -= rounded(o.Size)
		}
	}
	return peak
}

// Exact rounds nothing.
func Exact(size uint64) uint64 { return size }

// Hash returns a digest of the trace.
func (t *Trace) Hash() string {
	h := sha256.New()
	var words [32]byte
	for _, o := range t.Ops {
		for i, v := range []uint64{uint64(o.Kind), uint64(o.Stream), uint64(o.ID), o.Size} {
			binary.LittleEndian.PutUint64(words[8*i:], v)
		}
		h.Write(words[:])
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Check returns an error if the operations are no trace: each allocation is made once
// and freed once, after that, in its stream and with its size; none is left.
func (t *Trace) Check() error {
	live := make(map[int]Op)
	next := 0
	for i, o := range t.Ops {
		bad := func(what string) error { return fmt.Errorf("operation %d: allocation %d: %s", i, o.ID, what) }
		was, found := live[o.ID]
		switch {
		case o.Stream < 0 || o.Stream >= t.Streams:
			return fmt.Errorf("operation %d: there is no stream %d", i, o.Stream)
		case o.Kind > Sync:
			return fmt.Errorf("operation %d: there is no kind %d", i, o.Kind)
		case o.Kind == Alloc && o.ID != next:
			return bad("out of order")
		case o.Kind == Alloc && o.Size == 0:
			return bad("of no bytes")
		case o.Kind == Free && !found:
			return bad("not live")
		case o.Kind == Free && (was.Stream != o.Stream || was.Size != o.Size):
			return bad(fmt.Sprintf("was of %d bytes in stream %d", was.Size, was.Stream))
		}
		switch o.Kind {
		case Alloc:
			live[o.ID] = o
			next++
		case Free:
			delete(live, o.ID)
		}
	}
	if len(live) > 0 || next != t.IDs {
		return fmt.Errorf("%d allocations of %d, %d still live", next, t.IDs, len(live))
	}
	return nil
}

func (t *Trace) alloc(stream int, size uint64) held {
	h := held{t.IDs, size}
	t.IDs++
	t.Ops = append(t.Ops, Op{Alloc, stream, h.id, size})
	return h
}

func (t *Trace) free(stream int, h held) {
	t.Ops = append(t.Ops, Op{Free, stream, h.id, h.size})
}

// held is an allocation that is live; nothing if size is 0.
type held struct {
	id   int
	size uint64
}
