package sequences

import "slices"

// checkLoans checks that nothing uses the bytes that gaps and shrinks lend.
func (f *file) checkLoans(order *HappensBefore, u *users) {
	for i := range f.buffers {
		b := &f.buffers[i]
		if u.dropped[i] || len(b.gaps)+len(b.shrinks) == 0 {
			continue
		}
		l := loans{f, order, b, u.of(i)}
		if u.look(i, len(l.uses)*(len(b.gaps)+len(b.shrinks))); u.left <= 0 {
			return
		}
		last := None // where the last sound gap ends
		for k := range b.gaps {
			g := &b.gaps[k]
			if l.gapSteps(g, last) && l.gapUses(g) {
				last = g.before
			}
		}
		for k := range b.shrinks {
			l.shrink(k)
		}
	}
}

// loans are the gaps and shrinks of one buffer.
type loans struct {
	*file
	order  *HappensBefore
	buffer *bufferDecl
	uses   []int // the steps that use the buffer
}

func (l *loans) before(a, b int) bool { return l.order.Before(StepID(a), StepID(b)) }

// known reports whether a step of a gap or shrink uses the buffer. Where a use is
// unknown because its name is, any step may.
func (l *loans) known(step int, n *node, format string) bool {
	if step == None {
		return false
	}
	if _, ok := slices.BinarySearch(l.uses, step); ok || l.unresolved {
		return true
	}
	l.errorf(n.place(), CodeLoanStep, format, l.buffer.name.value, l.stepName(step))
	return false
}

// gapSteps checks the ends of a gap. last is the end of an earlier one, or None.
func (l *loans) gapSteps(g *gapDecl, last int) bool {
	after := l.known(g.after, g.afterNode, "the gap of %q starts behind %s, which does not use it")
	before := l.known(g.before, g.beforeNode, "the gap of %q ends before %s, which does not use it")
	if !after || !before {
		return false
	}
	if !l.before(g.after, g.before) {
		l.errorf(g.beforeNode.place(), CodeLoanOrder, "the gap of %q ends before %s, which is not behind %s", l.buffer.name.value, l.stepName(g.before), l.stepName(g.after))
		return false
	}
	if last != None && last != g.after && !l.before(last, g.after) {
		l.errorf(g.node.place(), CodeLoanOrder, "the gaps of %q are not in order: the one that starts behind %s follows one that ends before %s",
			l.buffer.name.value, l.stepName(g.after), l.stepName(last))
		return false
	}
	return true
}

// gapUses checks that every use of the buffer is at an end of the gap or beyond it.
func (l *loans) gapUses(g *gapDecl) bool {
	for _, u := range l.uses {
		if u == g.after || u == g.before || l.before(u, g.after) || l.before(g.before, u) {
			continue
		}
		hint := ""
		if !l.before(g.after, u) || !l.before(u, g.before) {
			hint = "nothing puts it before the gap or behind it"
		}
		l.hinted(g.node.place(), CodeLoanUse, hint, "%s uses %q in its gap from %s to %s", l.onStream(u), l.buffer.name.value, l.stepName(g.after), l.stepName(g.before))
		return false
	}
	return true
}

// shrink checks that every use of the buffer is at the shrink or on one side of it.
func (l *loans) shrink(k int) {
	s := &l.buffer.shrinks[k]
	if !l.known(s.after, s.afterNode, "%q shrinks behind %s, which does not use it") {
		return
	}
	if k > 0 {
		if last := l.buffer.shrinks[k-1].after; last != None && !l.before(last, s.after) {
			l.errorf(s.node.place(), CodeLoanOrder, "the shrinks of %q are not in order: the one behind %s follows one behind %s",
				l.buffer.name.value, l.stepName(s.after), l.stepName(last))
			return
		}
	}
	for _, u := range l.uses {
		if u != s.after && !l.before(u, s.after) && !l.before(s.after, u) {
			l.hinted(s.node.place(), CodeLoanUse, "nothing puts it before the shrink or behind it",
				"%s uses %q while it shrinks behind %s", l.onStream(u), l.buffer.name.value, l.stepName(s.after))
			return
		}
	}
}
