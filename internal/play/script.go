package play

import (
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// check is one comparison of a buffer with its pattern, at one use.
type check struct {
	buffer sequences.BufferID
	step   sequences.StepID // the number of steps: the end of the batch
	why    planner.UseKind
	of     string
	part   *span // the bytes of the buffer that are compared; nil: all
}

// script is what happens at one step, in this order.
type script struct {
	ends    []check // of gaps: what stayed in use, before the rest is filled again
	before  []check // of storage that a buffer of this step takes over
	fill    []sequences.BufferID
	after   []check // every other use, and what the step itself wrote
	shrinks []shrink

	// looks says that a host step uses device memory that it has not written itself. It
	// sees it when it runs, but the player only enqueues to compare it, and must keep that
	// apart from all earlier and later steps.
	looks bool
}

// shrink is that later steps use less of a buffer.
type shrink struct {
	buffer sequences.BufferID
	to     *sequences.Shrink
}

// buffers returns the buffers that the script works on.
func (s *script) buffers() []sequences.BufferID {
	out := slices.Clone(s.fill)
	for _, c := range slices.Concat(s.ends, s.before, s.after) {
		out = append(out, c.buffer)
	}
	return out
}

// scripts turns the uses of a plan into one script per step; the last one is the
// end of the batch. Filling before checking makes a step what a kernel is:
// everything that it reads and writes is needed at once.
func scripts(seq *sequences.Sequence, plan *planner.Plan) []script {
	end := sequences.StepID(len(seq.Steps))
	out := make([]script, len(seq.Steps)+1)
	taker := make(map[sequences.BufferID]sequences.StepID)
	for i := range seq.Buffers {
		b := &seq.Buffers[i]
		if b.InPlaceOf != sequences.None {
			taker[sequences.BufferID(b.InPlaceOf)] = b.Step
		}
	}
	for i := range seq.Buffers {
		b := &seq.Buffers[i]
		if b.Step != sequences.None {
			out[b.Step].fill = append(out[b.Step].fill, b.ID)
			out[b.Step].after = append(out[b.Step].after, check{buffer: b.ID, step: b.Step, why: planner.UseWrite})
		}
		for k := range b.Gaps {
			g := &b.Gaps[k]
			window := &span{uint64(g.Low), uint64(g.High)}
			out[g.Before].ends = append(out[g.Before].ends, check{b.ID, g.Before, planner.UseRead, "", window})
		}
		for k := range b.Shrinks {
			s := &b.Shrinks[k]
			out[s.After].shrinks = append(out[s.After].shrinks, shrink{b.ID, s})
		}
		taken, isTaken := taker[b.ID]
		for _, u := range uses(plan.Buffers[i].Uses, end) {
			c := check{buffer: b.ID, step: u.Step, why: u.Why, of: u.Of}
			switch {
			case isTaken && u.Step > taken:
				// Its bytes belong to the buffer that took them over.
			case isTaken && u.Step == taken:
				out[u.Step].before = append(out[u.Step].before, c)
			case u.Step != b.Step:
				out[u.Step].after = append(out[u.Step].after, c)
			}
		}
	}
	for s := range seq.Steps {
		out[s].looks = seq.Steps[s].Host && slices.ContainsFunc(slices.Concat(out[s].ends, out[s].before, out[s].after), func(c check) bool {
			return c.why != planner.UseWrite && seq.Buffers[c.buffer].Scope == sequences.Device
		})
	}
	return out
}

// uses keeps one use per step, and of those only the ones that need the bytes.
// A persistent buffer is needed at the end.
func uses(all []planner.Use, end sequences.StepID) []planner.Use {
	var out []planner.Use
	for _, u := range all {
		switch u.Why {
		case planner.UseWrite, planner.UseNoReuse, planner.UseInPlace, planner.UseInFlight:
			continue
		case planner.UseKeep:
			u.Step = end
		}
		u.Step = min(u.Step, end)
		if !slices.ContainsFunc(out, func(v planner.Use) bool { return v.Step == u.Step }) {
			out = append(out, u)
		}
	}
	return out
}
