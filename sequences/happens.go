package sequences

import "slices"

// Edge makes step To wait until step From is complete. From comes before To in the
// file.
type Edge struct{ From, To StepID }

// HappensBefore is a partial order of the steps of a sequence. It holds one clock
// per step: of every stream, the last step that is complete before the step starts.
// Steps of a stream run in the order of the file, so all earlier ones of that stream
// are complete too.
type HappensBefore struct {
	streams int        // 1: all steps are in order, and there are no clocks
	stream  []StreamID // by step
	upTo    []StepID   // by step: all steps up to this one are complete before it; None: no such
	clocks  []int32    // streams of them per step; a StepID, or None
	latest  []StepID   // by stream: the last step that has started, while the clocks are made
}

// NewHappensBefore returns the order that a run keeps: that of every stream, the after
// edges, the host steps, which are behind all earlier steps and before all later ones,
// and the extra edges. An edge that does not go forward in the file counts for nothing.
func NewHappensBefore(seq *Sequence, extra ...Edge) *HappensBefore {
	extra = slices.Clone(extra)
	slices.SortFunc(extra, func(a, b Edge) int { return int(a.To - b.To) })
	h := newHappensBefore(seq.Steps)
	for i, s := range seq.Steps {
		h.start(StepID(i))
		for _, a := range s.After {
			h.wait(StepID(i), a)
		}
		for ; len(extra) > 0 && int(extra[0].To) <= i; extra = extra[1:] {
			if int(extra[0].To) == i {
				h.wait(StepID(i), extra[0].From)
			}
		}
	}
	return h
}

// NewStreamOrder returns the order that holds without any edge: that of every stream,
// and the host steps.
func NewStreamOrder(seq *Sequence) *HappensBefore {
	h := newHappensBefore(seq.Steps)
	for i := range seq.Steps {
		h.start(StepID(i))
	}
	return h
}

// newHappensBefore returns an order of which start and wait make the clocks, in the
// order of the file. That takes time in proportion to streams x (steps + edges).
func newHappensBefore(steps []Step) *HappensBefore {
	h := &HappensBefore{streams: 1, stream: make([]StreamID, len(steps)), upTo: make([]StepID, len(steps))}
	host := StepID(None) // the last one
	for i, s := range steps {
		if s.Host {
			h.upTo[i], host = StepID(i)-1, StepID(i)
			continue
		}
		h.stream[i], h.upTo[i] = s.Stream, host
		h.streams = max(h.streams, int(s.Stream)+1)
	}
	if h.streams > 1 {
		h.clocks = make([]int32, h.streams*len(steps))
		h.latest = slices.Repeat([]StepID{None}, h.streams)
	}
	return h
}

func (h *HappensBefore) clock(step StepID) []int32 {
	return h.clocks[int(step)*h.streams:][:h.streams]
}

// start makes the clock of the next step.
func (h *HappensBefore) start(step StepID) {
	if h.streams == 1 {
		return
	}
	clock := h.clock(step)
	for s := range clock {
		clock[s] = None
	}
	s := h.stream[step]
	h.wait(step, h.latest[s])
	h.latest[s] = step
}

// wait makes the step that was started last wait for another one.
func (h *HappensBefore) wait(step, before StepID) {
	if h.streams == 1 || before < 0 || before >= step {
		return
	}
	clock := h.clock(step)
	for s, c := range h.clock(before) {
		clock[s] = max(clock[s], c)
	}
	s := h.stream[before]
	clock[s] = max(clock[s], int32(before))
}

// Before reports whether every access of step a is complete before step b starts. No
// step is before itself.
func (h *HappensBefore) Before(a, b StepID) bool {
	switch {
	case a >= b:
		return false
	case h.streams == 1 || a <= h.upTo[b]:
		return true
	}
	return int32(a) <= h.clock(b)[h.stream[a]]
}
