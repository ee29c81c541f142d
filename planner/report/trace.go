package report

import (
	"encoding/json"
	"io"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// traceStep is how long a step is in a trace, in its unit, microseconds.
const traceStep = 1000

// traceEvent is one event of the trace format of Chrome, which Perfetto reads too.
type traceEvent struct {
	Name     string         `json:"name"`
	Phase    string         `json:"ph"` // X: a slice, C: a counter, M: a name
	Category string         `json:"cat,omitempty"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	Start    uint64         `json:"ts"`
	Duration uint64         `json:"dur,omitempty"`
	Args     map[string]any `json:"args,omitempty"`
}

// track is a process of the trace: the buffers of one class and scope. Slices of one
// thread may not cross, so a track has as many lanes as it needs.
type track struct {
	name  string
	class planner.Class
	scope sequences.Scope
}

var tracks = [...]track{
	{"static device pool", planner.Static, sequences.Device},
	{"static host pool", planner.Static, sequences.Host},
	{"dynamic device buffers", planner.Dynamic, sequences.Device},
	{"dynamic host buffers", planner.Dynamic, sequences.Host},
}

// Trace writes a trace for ui.perfetto.dev or chrome://tracing: a track for the steps, one
// for each pool with a slice for the life of each buffer and a counter of the static bytes
// in use. A trace knows only time: one step is one millisecond.
func Trace(w io.Writer, p *planner.Plan) error {
	var t tracer
	t.name(0, 0, "process_name", "steps")
	for s := range p.Steps {
		where := "device"
		if p.Steps[s].Host {
			where = "host"
		}
		t.slice(0, p.Steps[s].Stream+1, p.Steps[s].Name, "step", planner.Interval{First: sequences.StepID(s), End: sequences.StepID(s) + 1},
			map[string]any{"step": s, "on": where})
	}
	for i, name := range p.Streams {
		t.name(0, i+1, "thread_name", "stream "+name)
	}
	for i, k := range tracks {
		t.track(p, i+1, k)
	}
	return json.NewEncoder(w).Encode(map[string]any{
		"displayTimeUnit": "ms",
		"otherData": map[string]any{
			"sequence": p.Name, "plan": p.Hash, "time": "one step is 1 ms", "bytes": "of one worker",
		},
		"traceEvents": t.events,
	})
}

type tracer struct{ events []traceEvent }

func (t *tracer) name(process, thread int, what, name string) {
	t.events = append(t.events, traceEvent{Name: what, Phase: "M", Process: process, Thread: thread, Args: map[string]any{"name": prose.Plain(name)}})
}

func (t *tracer) slice(process, thread int, name, category string, life planner.Interval, args map[string]any) {
	t.events = append(t.events, traceEvent{
		Name: prose.Plain(name), Phase: "X", Category: category, Process: process, Thread: thread,
		Start: uint64(life.First) * traceStep, Duration: uint64(life.End-life.First) * traceStep, Args: args,
	})
}

// track writes the buffers of one track, each in the first lane that is free.
func (t *tracer) track(p *planner.Plan, process int, k track) {
	var free []sequences.StepID // by lane: from when
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if b.Class != k.class || b.Scope != k.scope {
			continue
		}
		lane := 0
		for lane < len(free) && free[lane] > b.Lifetime.First {
			lane++
		}
		if lane == len(free) {
			if lane == 0 {
				t.name(process, 0, "process_name", k.name)
			}
			free = append(free, 0)
		}
		free[lane] = b.Lifetime.End
		t.slice(process, lane+1, b.Name, k.class.String(), b.Lifetime, traceArgs(p, b))
	}
	if k.class != planner.Static || len(free) == 0 {
		return
	}
	live := Live(p, k.scope)
	for s, bytes := range append(live, 0) {
		t.events = append(t.events, traceEvent{
			Name: k.name + ", bytes in use", Phase: "C", Process: process, Start: uint64(s) * traceStep,
			Args: map[string]any{"bytes": bytes},
		})
	}
}

func traceArgs(p *planner.Plan, b *planner.Buffer) map[string]any {
	size, basis := sizeOf(b)
	args := map[string]any{
		"bytes": size, "size": prose.Plain(formula(b)), "first": b.Lifetime.First, "end": b.Lifetime.End,
		"written by": prose.Plain(stepName(p, b.Step)),
	}
	switch {
	case b.Class == planner.Static:
		args["offset"] = b.Offset
	case basis == "":
		args["slot"], args["bytes"] = b.Slot, "unknown"
	default:
		args["slot"], args["bytes are"] = b.Slot, basis
	}
	return args
}
