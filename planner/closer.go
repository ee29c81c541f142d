package planner

import (
	"context"
	"slices"

	"github.com/seqplan/seqplan/planner/pack"
)

// question asks the engine whether there is a packing of a height, which is its
// capacity. Where there is none, nobody needs to know of which buffers that is.
type question struct{ pack.Engine }

// Pack implements pack.Packer.
func (q question) Pack(ctx context.Context, p pack.Problem) (pack.Result, error) {
	if p.Capacity == nil {
		return q.Engine.Pack(ctx, p)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	told := q.Progress
	q.Progress = func(now pack.Progress) {
		if told != nil {
			told(now)
		}
		if now.Bound > *p.Capacity {
			cancel()
		}
	}
	r, err := q.Engine.Pack(ctx, p)
	r.Interrupted = false // it was known by then
	return r, err
}

// closer closes the gap of a packing that is known, with all of the effort. The known
// bound may be higher than what the engine sees, so it is asked for that height.
type closer struct {
	pack.Engine
	known pack.Result // found with little effort
}

// Pack implements pack.Packer. It has a packing in any case.
func (c closer) Pack(ctx context.Context, p pack.Problem) (pack.Result, error) {
	best := c.known
	// Hints are kept only where the engine looks for its own lowest height.
	hinted := slices.ContainsFunc(p.Buffers, func(b pack.Buffer) bool { return b.Hint != nil })
	if height := best.Bound.Bytes; !hinted {
		p.Capacity = &height
	}
	most := 2 * c.known.Nodes // what takes more to refute has taken the effort that there is
	if c.Effort == pack.Max {
		most *= 30
	}
	for {
		r, err := question{c.Engine}.Pack(ctx, p)
		if err != nil {
			return pack.Result{}, err
		}
		best.Nodes += r.Nodes
		if r.Bound.Bytes > best.Bound.Bytes {
			best.Bound = r.Bound
		}
		if r.Offsets != nil && r.Height < best.Height {
			best.Offsets, best.Height, best.Method = r.Offsets, r.Height, r.Method
		}
		if best.Height <= best.Bound.Bytes {
			best.Status = pack.Optimal
		}
		if r.Status != pack.Infeasible || best.Status == pack.Optimal || p.Capacity == nil || r.Nodes > most {
			return best, nil
		}
		p.Capacity = nil
	}
}

// packStreams packs a scope in the order of several streams: first with little effort,
// and with all of it, once, if that leaves a gap.
func (f *facts) packStreams(u *units, fr *frontier, packer pack.Packer) (packed, error) {
	e, ok := packer.(pack.Engine)
	if !ok {
		return f.packSet(u, fr, packer)
	}
	p, err := f.packQuick(u, fr, packer)
	if err != nil || p.Status == pack.Optimal {
		return p, err
	}
	return f.close(p, e)
}

// close packs again with all of the effort, unless that is little.
func (f *facts) close(p packed, e pack.Engine) (packed, error) {
	if e.Effort == pack.Quick {
		return p, nil
	}
	closed, err := f.packUnits(p.units, closer{e, p.Result})
	if err != nil {
		return packed{}, err
	}
	closed.set = p.set
	return closed, nil
}

// packQuick packs a scope with little effort.
func (f *facts) packQuick(u *units, fr *frontier, packer pack.Packer) (packed, error) {
	if e, ok := quick(packer).(pack.Engine); ok {
		packer = question{e}
	}
	return f.packSet(u, fr, packer)
}
