package play

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/internal/tally"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// WithFirstFit takes the dynamic buffers from one piece of device memory, first fit.
func WithFirstFit(opts Options) Options {
	opts.Dynamic = Block
	opts.source = func(dev *tally.Device) (ground, error) {
		return ground{dev: dev, open: func(_ *lanes, limit uint64) (source, error) {
			base, err := dev.Alloc(limit)
			return &firstFit{dev: dev, base: base, limit: limit, live: []extent{{base, 8}}}, err // nothing is aligned
		}}, nil
	}
	return opts
}

type firstFit struct {
	dev        kernels.Device
	base       kernels.Addr
	limit      uint64
	live       []extent // by address
	used, high uint64
}

type extent struct {
	addr kernels.Addr
	size uint64
}

func (f *firstFit) alloc(size uint64) (kernels.Addr, error) {
	at, i := f.base, 0
	for ; i < len(f.live) && uint64(f.live[i].addr-at) < size; i++ {
		at = f.live[i].addr + kernels.Addr(f.live[i].size)
	}
	if used := uint64(at - f.base); i == len(f.live) && (used > f.limit || f.limit-used < size) {
		return 0, fmt.Errorf("first fit: %w", kernels.ErrOutOfMemory)
	}
	f.live = slices.Insert(f.live, i, extent{at, size})
	f.used += size
	f.high = max(f.high, f.used)
	return at, nil
}

func (f *firstFit) free(addr kernels.Addr) error {
	i, ok := slices.BinarySearchFunc(f.live, addr, func(r extent, addr kernels.Addr) int { return cmp.Compare(r.addr, addr) })
	if !ok {
		return fmt.Errorf("first fit: %#x: %w", uint64(addr), kernels.ErrBadAddress)
	}
	f.used -= f.live[i].size
	f.live = slices.Delete(f.live, i, i+1)
	return nil
}

func (f *firstFit) align() uint64 { return 1 } // so that the player aligns

func (f *firstFit) peaks() (reserved, used uint64, err error) { return f.limit, f.high, nil }

func (f *firstFit) close() error {
	if len(f.live) > 1 {
		return fmt.Errorf("first fit: %d not given back: %w", len(f.live)-1, kernels.ErrInUse)
	}
	return f.dev.Free(f.base)
}

// Hasty is a source that gives back the memory of one allocation too early.
type Hasty struct {
	Victim int // which allocation, from 0; -1 for none
	At     int // before which later one its memory is given back

	Last   []int // by allocation: the last one before it was given back
	Stolen bool  // the one at At begins where the victim lies
}

// With makes the only worker use the source.
func (h *Hasty) With(opts Options) Options {
	plain := opts
	opts.source = func(dev *tally.Device) (ground, error) {
		g, err := plain.ground(dev)
		if err != nil {
			return g, err
		}
		open := g.open
		g.open = func(streams *lanes, limit uint64) (source, error) {
			s, err := open(streams, limit)
			return &hasty{source: s, h: h, live: make(map[kernels.Addr]int)}, err
		}
		return g, nil
	}
	return opts
}

type hasty struct {
	source
	h      *Hasty
	live   map[kernels.Addr]int // which allocation it is
	victim kernels.Addr
	robbed bool // the victim was given back and its user does not know
}

func (s *hasty) alloc(size uint64) (kernels.Addr, error) {
	n := len(s.h.Last)
	if n == s.h.At && s.victim != 0 {
		s.robbed = true
		if err := s.source.free(s.victim); err != nil {
			return 0, err
		}
	}
	addr, err := s.source.alloc(size)
	if err != nil {
		return 0, err
	}
	s.h.Last = append(s.h.Last, n)
	s.h.Stolen = s.h.Stolen || s.robbed && addr == s.victim
	if n == s.h.Victim {
		s.victim = addr
	}
	s.live[addr] = n
	return addr, nil
}

func (s *hasty) free(addr kernels.Addr) error {
	if addr == s.victim {
		s.victim = 0
		if s.robbed {
			s.robbed = false
			return nil
		}
	}
	s.h.Last[s.live[addr]] = len(s.h.Last) - 1
	return s.source.free(addr)
}

// Access is that a step fills or compares bytes of a buffer, as the player does it.
type Access struct {
	Step     sequences.StepID // the number of steps: behind all
	Buffer   sequences.BufferID
	From, To uint64 // bytes of the buffer; of a dynamic one nothing is known, and they are 0
	Write    bool
	Again    bool // a write of what the buffer held before
}

// Accesses returns what the player does in a batch of some events, step by step.
func Accesses(seq *sequences.Sequence, plan *planner.Plan, events uint64) ([]Access, error) {
	at, _, err := At(seq, events)
	if err != nil {
		return nil, err
	}
	sizes := make([]uint64, len(seq.Buffers))
	for b := range seq.Buffers {
		if plan.Buffers[b].Class == planner.Static {
			if sizes[b], err = at.Bytes(sequences.BufferID(b)); err != nil {
				return nil, err
			}
		}
		if seq.Buffers[b].Keep {
			sizes[b] = uint64(plan.Buffers[b].Max)
		}
	}
	var out []Access
	for s, script := range scripts(seq, plan) {
		add := func(b sequences.BufferID, c *check, write, again bool) {
			a := Access{Step: sequences.StepID(s), Buffer: b, To: sizes[b], Write: write, Again: again}
			if c != nil {
				a.From, a.To = c.within(sizes[b])
			}
			out = append(out, a)
		}
		for i := range script.ends {
			add(script.ends[i].buffer, &script.ends[i], false, false)
			add(script.ends[i].buffer, nil, true, true)
		}
		for i := range script.before {
			add(script.before[i].buffer, nil, false, false)
		}
		for _, b := range script.fill {
			add(b, nil, true, false)
		}
		for i := range script.after {
			add(script.after[i].buffer, nil, false, false)
		}
		for _, k := range script.shrinks {
			elements, err := at.Eval(k.to.Count)
			if err != nil {
				return nil, err
			}
			sizes[k.buffer] = min(sizes[k.buffer], elements*uint64(seq.Types[seq.Buffers[k.buffer].Type].Size))
		}
	}
	return out, nil
}

// Looks says of each step whether it is a host step that looks at device memory.
func Looks(seq *sequences.Sequence, plan *planner.Plan) []bool {
	var out []bool
	for _, s := range scripts(seq, plan) {
		out = append(out, s.looks)
	}
	return out
}
