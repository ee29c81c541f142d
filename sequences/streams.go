package sequences

import "slices"

// mainStream is the stream of the steps that name none.
const mainStream = "main"

// decodeStream reads where a step stands in the order of steps.
func (f *file) decodeStream(s *stepDecl, o fields, what string) {
	faults := len(f.found)
	s.afterNodes = f.unique(f.oneOrMore(o.get("after"), of("after", what)), of("after", what))
	stream := o.get("stream")
	switch {
	case stream == nil:
		if !s.host {
			s.stream = f.declareStream(&node{value: mainStream})
		}
	case s.host:
		f.hinted(o.keys["stream"].place(), CodeStreamHost, "remove it: a host step waits for all earlier steps of the file, and all later ones wait for it",
			"%s runs on the host and so on no stream", what)
	default:
		if _, ok := f.text(stream, of("stream", what)); ok && f.checkName(stream, "stream") {
			s.stream = f.declareStream(stream)
		}
	}
	s.unordered = len(f.found) > faults
}

// declareStream returns the stream of a name, and makes it if it is new.
func (f *file) declareStream(n *node) StreamID {
	if i, ok := f.streamSpace.find(n.value); ok {
		return StreamID(i)
	}
	if len(f.streams) == maxStreams {
		if !f.lost.all {
			f.errorf(n.place(), CodeTooMany, "more than %d streams", maxStreams)
		}
		f.lost.all = true
		return 0
	}
	f.streamSpace.add(n, len(f.streams), "stream", f.reporter)
	f.streams = append(f.streams, n.value)
	return StreamID(len(f.streams) - 1)
}

// findStep looks up a step that is named in the file.
func (f *file) findStep(n *node) (id int, ok bool) {
	if id, ok = f.stepSpace.find(n.value); !ok {
		f.unknown(n.place(), CodeUnknownStep, "step", n.value, f.stepSpace.names)
	}
	return id, ok
}

// resolveAfter looks up the steps that a step waits for.
func (f *file) resolveAfter(step int) {
	s := &f.steps[step]
	for _, n := range s.afterNodes {
		id, ok := f.findStep(n)
		s.unordered = s.unordered || !ok || id >= step
		switch at := n.place(); {
		case !ok:
		case id == step:
			f.errorf(at, CodeAfterOrder, "%s cannot come after itself", f.stepName(step))
		case id > step:
			f.hinted(at, CodeAfterOrder, "a step comes after steps that are before it in the file",
				"%s cannot come after %s, which is later in the file", f.stepName(step), f.stepName(id))
		case s.unordered || f.steps[id].unordered: // which edges are redundant is not known
		case s.host || f.steps[id].host:
			f.warnf(at, CodeAfterRedundant, "remove it", "%s comes after %s anyway: host steps wait for all earlier steps, and all later ones wait for them",
				f.stepName(step), f.stepName(id))
		case f.steps[id].stream == s.stream:
			f.warnf(at, CodeAfterRedundant, "remove it", "%s comes after %s anyway: both are on the stream %q",
				f.stepName(step), f.stepName(id), f.streams[s.stream])
		default:
			s.after = append(s.after, StepID(id))
		}
	}
	slices.Sort(s.after)
}
