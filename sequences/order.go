package sequences

import (
	"github.com/seqplan/seqplan/sequences/expr"
)

// checkOrder checks that everything exists when it is used. Steps run in the order
// of the file; inputs exist before step 0.
func (f *file) checkOrder() {
	for i := range f.steps {
		for _, ref := range f.steps[i].reads {
			f.checkRead(i, ref)
		}
	}
	for i := range f.buffers {
		b := &f.buffers[i]
		for _, ref := range b.views {
			f.checkView(b, ref)
		}
		f.checkSizeOrder(i)
	}
	f.checkUnusedCounts()
}

func (f *file) checkRead(step int, ref bufferRef) {
	b := &f.buffers[ref.id]
	at, name := ref.node.place(), b.name.value
	switch {
	case b.step == step:
		f.hinted(at, CodeReadsOwn, "a step may use what it writes without reading it", "%s reads %q, which it writes itself", f.stepName(step), name)
	case b.kind == Scratch:
		f.hinted(at, CodeScratchOutside, `declare it under "writes"`, "%s reads %q, which is scratch of %s", f.stepName(step), name, f.stepName(b.step))
	case b.step > step:
		f.errorf(at, CodeReadBeforeWrite, "%s reads %q before %s writes it", f.stepName(step), name, f.stepName(b.step))
	}
}

func (f *file) checkView(b *bufferDecl, ref bufferRef) {
	of := &f.buffers[ref.id]
	at := ref.node.place()
	switch {
	case of.kind == Scratch && (of.step != b.step || b.kind != Scratch):
		f.hinted(at, CodeScratchOutside, `declare it under "writes"`, "%q holds pointers into %q, which is scratch of %s and lives in it only", b.name.value, of.name.value, f.stepName(of.step))
	case of.step > b.step:
		f.errorf(at, CodeViewOrder, "%q holds pointers into %q before %s writes it", b.name.value, of.name.value, f.stepName(of.step))
	}
}

// checkSizeOrder checks that the size of a buffer is known when it is placed: in
// its step, before the step runs.
func (f *file) checkSizeOrder(id int) {
	b := &f.buffers[id]
	if b.count == nil {
		return
	}
	for _, ref := range b.count.refs {
		switch ref.kind {
		case expr.Count:
			c := &f.counts[ref.id]
			if c.atBuffer == None || c.atBuffer == id { // the latter is a cycle
				continue
			}
			if at := &f.buffers[c.atBuffer]; at.kind == Write && at.step >= b.step {
				f.hinted(b.count.place(ref.offset), CodeCountOrder, "a count can be used by the steps behind the one that writes it",
					"the size of %q in %s uses the count %q before %s has written it", b.name.value, f.stepName(b.step), c.name.value, f.stepName(at.step))
			}
		case expr.CountOf, expr.SizeOf:
			if of := &f.buffers[ref.id]; of.step > b.step {
				f.errorf(b.count.place(ref.offset), CodeSizeOrder, "the size of %q refers to %q, which %s declares later", b.name.value, of.name.value, f.stepName(of.step))
			}
		}
	}
}

func (f *file) checkUnusedCounts() {
	used := make([]bool, len(f.counts))
	for i := range f.buffers {
		if s := f.buffers[i].count; s != nil {
			for _, ref := range s.refs {
				if ref.kind == expr.Count {
					used[ref.id] = true
				}
			}
		}
	}
	for i := range f.counts {
		if !used[i] && !f.found.HasErrors() {
			f.warnf(f.counts[i].name.place(), CodeUnusedCount, "", "no size uses the count %q", f.counts[i].name.value)
		}
	}
}
