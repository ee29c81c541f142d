package sequences

import (
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/sequences/expr"
)

// lastUse is the last step that needs the content of a buffer, and why.
type lastUse struct {
	step int
	why  string
}

// checkInPlace checks every buffer that takes over the storage of another one.
func (f *file) checkInPlace() {
	var last []lastUse
	takers := map[int]string{}
	read := f.earlierReads()
	for i := range f.buffers {
		b := &f.buffers[i]
		if b.inPlace == nil {
			continue
		}
		if last == nil {
			last = f.lastUses()
		}
		at, base := b.inPlace.node.place(), &f.buffers[b.inPlace.id]
		name := base.name.value
		taker, taken := takers[b.inPlace.id]
		if !taken {
			takers[b.inPlace.id] = b.name.value
		}
		switch {
		case taken:
			f.errorf(at, CodeInPlaceTwice, "%q cannot take over the storage of %q, %q does already", b.name.value, name, taker)
			continue
		case !read(b.step)[b.inPlace.id]:
			f.errorf(at, CodeInPlaceRead, "%q cannot take over the storage of %q, which %s does not read", b.name.value, name, f.stepName(b.step))
			continue
		case base.output:
			f.errorf(at, CodeInPlaceKept, "%q cannot take over the storage of %q, which is an output", b.name.value, name)
		case base.keep:
			f.errorf(at, CodeInPlaceKept, "%q cannot take over the storage of %q, which is kept", b.name.value, name)
		case b.keep:
			f.errorf(at, CodeInPlaceKept, "%q is kept and cannot share the storage of %q, which is written in every batch", b.name.value, name)
		case last[b.inPlace.id].step > b.step:
			f.errorf(at, CodeInPlaceUse, "%q cannot take over the storage of %q: %s", b.name.value, name, last[b.inPlace.id].why)
		}
		if len(base.shrinks) > 0 {
			f.hinted(at, CodePlaceInPlace, "remove the shrink", "%q cannot take over the storage of %q, which shrinks", b.name.value, name)
		}
		if base.scope != b.scope {
			f.errorf(at, CodeInPlaceScope, "%q in %s memory cannot take over the storage of %q in %s memory", b.name.value, b.scope, name, base.scope)
		}
	}
}

// earlierReads returns a function for the buffers of earlier steps that a step
// reads. It remembers the step that it was asked for last.
func (f *file) earlierReads() func(step int) map[int]bool {
	at, set := None, map[int]bool(nil)
	return func(step int) map[int]bool {
		if step != at {
			at, set = step, map[int]bool{}
			for _, r := range f.steps[step].reads {
				if b := &f.buffers[r.id]; b.kind != Scratch && b.step < step {
					set[r.id] = true
				}
			}
		}
		return set
	}
}

// lastUses finds the last use of every buffer: by steps, barriers, counts, and
// buffers that hold pointers into it.
func (f *file) lastUses() []lastUse {
	last := make([]lastUse, len(f.buffers))
	use := func(id, step int, format string, args ...any) {
		if step > last[id].step {
			last[id] = lastUse{step, fmt.Sprintf(format, args...)}
		}
	}
	for i, b := range f.buffers {
		last[i].step = b.step
		if b.output || b.keep {
			use(i, len(f.steps), "%q is needed at the end of the batch", b.name.value)
		}
	}
	barrier := map[int]int{} // of each group the last one
	for i, s := range f.steps {
		for _, r := range s.reads {
			use(r.id, i, "%s reads it later", f.stepName(i))
		}
		for _, g := range s.barriers {
			barrier[g] = i
		}
	}
	for g := range f.groups {
		if i, ok := barrier[g]; ok {
			for _, m := range f.groups[g].members {
				use(m, i, "the barrier of %s on the group %q keeps it", f.stepName(i), f.groups[g].name.value)
			}
		}
	}
	f.countUses(func(at, count, buffer int) {
		b := &f.buffers[buffer]
		use(at, b.step, "the size of %q in %s needs the count %q in it", b.name.value, f.stepName(b.step), f.counts[count].name.value)
	})
	// What a buffer points to lives as long as the buffer: from the latest use down,
	// each buffer is reached first by the use that decides.
	order := make([]int, len(f.buffers))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return last[j].step - last[i].step })
	reached := make([]bool, len(f.buffers))
	for _, start := range order {
		if reached[start] {
			continue
		}
		stack := []int{start}
		reached[start] = true
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, v := range f.buffers[i].views {
				if !reached[v.id] {
					reached[v.id] = true
					use(v.id, last[i].step, "%q, which holds pointers into it, is used later", f.bufferName(i))
					stack = append(stack, v.id)
				}
			}
		}
	}
	return last
}

// countUses calls use for each count whose memory the device reads to size a
// buffer: those in the size itself, and in the sizes that it refers to, because
// the device computes these again. The last buffers come first, and each count and
// each size is met once, so by the last step that needs it.
func (f *file) countUses(use func(at, count, buffer int)) {
	order := make([]int, len(f.buffers))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return f.buffers[j].step - f.buffers[i].step })
	sized := make([]bool, len(f.buffers))
	for _, buffer := range order {
		for stack := []int{buffer}; len(stack) > 0; {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if sized[i] || f.buffers[i].count == nil {
				continue
			}
			sized[i] = true
			for _, r := range f.buffers[i].count.refs {
				switch r.kind {
				case expr.Count:
					if at := f.counts[r.id].atBuffer; at != None {
						use(at, r.id, buffer)
					}
				case expr.CountOf, expr.SizeOf:
					stack = append(stack, r.id)
				case expr.SumCounts:
					stack = append(stack, f.groups[r.id].members...)
				}
			}
		}
	}
}
