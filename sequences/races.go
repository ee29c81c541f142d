package sequences

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/sequences/expr"
)

// checkUses checks everything that needs the order of steps. Where names are lost
// the order may be lost with them.
func (f *file) checkUses(dropped []bool) {
	if f.lost.any() {
		return
	}
	u := f.newUsers(dropped)
	if order := f.orderSteps(u); order != nil {
		f.checkLoans(order, u)
	}
}

// orderSteps returns the order of steps and reports the races in it: a step that
// uses what a step of another stream wrote, or takes over what it uses, without being
// behind it. A missing edge is reported once, for the last step that it must come
// from, and then taken for granted. It returns nil where there are too many.
func (f *file) orderSteps(u *users) *HappensBefore {
	steps := make([]Step, len(f.steps))
	for i, s := range f.steps {
		steps[i] = Step{Host: s.host || s.unordered, Stream: s.stream} // where it runs is reported already
	}
	h := newHappensBefore(steps)
	r := &races{
		file: f, users: u, order: h, barriers: make([]barrierState, len(f.groups)),
		counts: make([][]counted, len(f.buffers)+len(f.groups)), known: make([]bool, len(f.buffers)+len(f.groups)),
	}
	for i := range steps {
		h.start(StepID(i))
		for _, a := range f.steps[i].after {
			h.wait(StepID(i), a)
		}
		if h.streams > 1 && !steps[i].Host {
			r.check(i)
		}
		if r.reported > maxRaces {
			return nil
		}
	}
	return h
}

type races struct {
	*file
	users    *users
	order    *HappensBefore
	missing  []missing
	reported int
	barriers []barrierState // by group
	counts   [][]counted    // by buffer, then by group
	known    []bool         // the entry of counts is made
}

// missing is something that a step needs and that nothing orders before it.
type missing struct {
	step int // that it must come after
	at   place
	text string
}

// check reports what the step, of which the clock is made, does not wait for.
func (r *races) check(step int) {
	r.missing = r.missing[:0]
	r.reads(step)
	r.barrier(step)
	s := &r.file.steps[step]
	for _, ids := range [][]int{s.writes, s.scratch} {
		for _, id := range ids {
			if !r.users.dropped[id] {
				r.declares(step, id)
			}
		}
	}
	slices.SortStableFunc(r.missing, func(a, b missing) int { return cmp.Compare(b.step, a.step) })
	for _, m := range r.missing {
		if r.order.Before(StepID(m.step), StepID(step)) {
			continue // behind one that is reported
		}
		hint := fmt.Sprintf("write \"after: [%s]\" in %s", r.steps[m.step].name.value, r.stepName(step))
		if len(s.after) > 0 {
			hint = fmt.Sprintf("add %q to the \"after\" of %s", r.steps[m.step].name.value, r.stepName(step))
		}
		r.reported++
		r.hinted(m.at, CodeRace, hint, "%s", m.text)
		r.order.wait(StepID(step), StepID(m.step))
	}
}

// late reports whether step uses what an earlier step of the file leaves, and is not
// behind it. Steps that are later in the file are reported elsewhere.
func (r *races) late(step, earlier int) bool {
	return earlier >= 0 && earlier < step && !r.order.Before(StepID(earlier), StepID(step))
}

// unwritten is late for what earlier writes. What is before it in the message says
// who needs it.
func (r *races) unwritten(earlier int, at place, format string, args ...any) {
	text := fmt.Sprintf(format, args...) + fmt.Sprintf(", which %s may not have written yet", r.onStream(earlier))
	r.missing = append(r.missing, missing{earlier, at, text})
}

// onStream names a step with its stream, if there are several.
func (f *file) onStream(step int) string {
	s := &f.steps[step]
	if s.host || len(f.streams) == 1 {
		return f.stepName(step)
	}
	return fmt.Sprintf("%s on stream %q", f.stepName(step), f.streams[s.stream])
}

func (r *races) reads(step int) {
	for _, ref := range r.steps[step].reads {
		if b := &r.buffers[ref.id]; r.late(step, b.step) {
			r.unwritten(b.step, ref.node.place(), "%s reads %q", r.onStream(step), b.name.value)
		}
	}
}

// barrierState says how far the members of a group are looked at.
type barrierState struct {
	next int
	last []int // by stream: the member that its last step wrote, or None
}

// barrier checks the members that the earlier steps of the file wrote.
func (r *races) barrier(step int) {
	for _, n := range r.steps[step].barrier {
		g, ok := r.groupSpace.find(n.value)
		if !ok {
			continue
		}
		state, members := &r.barriers[g], r.groups[g].members
		if state.last == nil {
			state.last = slices.Repeat([]int{None}, len(r.streams))
		}
		for ; state.next < len(members) && r.buffers[members[state.next]].step < step; state.next++ {
			m := members[state.next]
			if w := r.buffers[m].step; w != None && !r.steps[w].host {
				state.last[r.steps[w].stream] = m
			}
		}
		for _, m := range state.last {
			if m != None && r.late(step, r.buffers[m].step) {
				r.unwritten(r.buffers[m].step, n.place(), "the barrier of %s on the group %q keeps %q", r.onStream(step), n.value, r.bufferName(m))
			}
		}
	}
}

// declares checks what a buffer of the step needs: what it views, the counts in its
// size, and the storage that it takes over.
func (r *races) declares(step, id int) {
	b := &r.buffers[id]
	for _, v := range b.views {
		if of := &r.buffers[v.id]; r.late(step, of.step) {
			r.unwritten(of.step, v.node.place(), "%q of %s holds pointers into %q", b.name.value, r.onStream(step), of.name.value)
		}
	}
	if b.count != nil {
		for _, ref := range b.count.refs {
			for _, c := range r.countsOf(ref) {
				if r.late(step, c.writer) {
					r.unwritten(c.writer, b.count.place(ref.offset), "the size of %q in %s uses the count %q", b.name.value, r.onStream(step), r.file.counts[c.count].name.value)
				}
			}
		}
	}
	if b.inPlace == nil {
		return
	}
	for _, u := range r.users.of(b.inPlace.id) {
		if r.late(step, u) {
			r.missing = append(r.missing, missing{u, b.inPlace.node.place(), fmt.Sprintf("%q of %s cannot take over the storage of %q: %s may still use it",
				b.name.value, r.onStream(step), r.bufferName(b.inPlace.id), r.onStream(u))})
		}
	}
}

// counted is a count that the device loads to compute a size, and the step that
// writes it.
type counted struct{ writer, count int }

// countsOf returns the counts behind one name of a size, of every stream the one that
// is written last.
func (r *races) countsOf(ref sizeRef) []counted {
	switch ref.kind {
	case expr.Count:
		if at := r.file.counts[ref.id].atBuffer; at != None {
			if w := r.buffers[at].step; w != None && !r.steps[w].host {
				return []counted{{w, ref.id}}
			}
		}
	case expr.CountOf, expr.SizeOf:
		return r.countsIn(ref.id)
	case expr.SumCounts:
		return r.countsIn(len(r.buffers) + ref.id)
	}
	return nil
}

// countsIn is countsOf for a buffer or a group, made once.
func (r *races) countsIn(i int) []counted {
	if r.known[i] {
		return r.counts[i]
	}
	r.known[i] = true
	var all []counted
	add := func(more []counted) {
		for _, c := range more {
			k := slices.IndexFunc(all, func(a counted) bool { return r.steps[a.writer].stream == r.steps[c.writer].stream })
			if k < 0 {
				all = append(all, c)
			} else if all[k].writer < c.writer {
				all[k] = c
			}
		}
	}
	if i >= len(r.buffers) {
		for _, m := range r.groups[i-len(r.buffers)].members {
			add(r.countsIn(m))
		}
	} else if count := r.buffers[i].count; count != nil {
		for _, ref := range count.refs {
			add(r.countsOf(ref))
		}
	}
	r.counts[i] = all
	return all
}
