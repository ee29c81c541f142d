package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Streams is how the steps of several streams are kept in order.
type Streams struct {
	Streams []Stream `json:"streams"`
	Waits   int      `json:"waits"` // stream waits: of streams for steps of others
	Added   []Edge   `json:"added"` // by the reuse policy internal
}

// Stream is one stream.
type Stream struct {
	Name  string `json:"name"`
	Steps int    `json:"steps"` // device steps
}

// Edge is a wait of one step for another one that saves memory.
type Edge struct {
	planner.AddedEdge
	FromName string `json:"from_name"`
	ToName   string `json:"to_name"`
}

func newEdges(p *planner.Plan, list []planner.AddedEdge) []Edge {
	out := []Edge{}
	for _, e := range list {
		out = append(out, Edge{e, stepName(p, e.From), stepName(p, e.To)})
	}
	return out
}

// streams returns nil for a plan with one stream.
func streams(p *planner.Plan) *Streams {
	if len(p.Streams) == 0 {
		return nil
	}
	s := &Streams{Added: newEdges(p, p.Added)}
	for _, name := range p.Streams {
		s.Streams = append(s.Streams, Stream{Name: name})
	}
	for i := range p.Steps {
		step := &p.Steps[i]
		s.Waits += len(step.After)
		if n := streamOf(p, i); n >= 0 {
			s.Streams[n].Steps++
		}
	}
	return s
}

// streamOf is the stream of a device step of a plan with several; -1 if there is none.
func streamOf(p *planner.Plan, s int) int {
	if s < 0 || p.Steps[s].Host || len(p.Streams) == 0 {
		return -1
	}
	return p.Steps[s].Stream
}

func (r *Report) streams(t *printer) {
	s := r.Streams
	if s == nil {
		return
	}
	t.section("Streams: %d, with %s", len(s.Streams), prose.Plural(s.Waits, "stream wait"))
	for _, stream := range s.Streams {
		t.line("  %s\t%s", stream.Name, prose.Plural(stream.Steps, "step"))
	}
	if len(s.Added) > 0 {
		t.section("  the planner added %s, for the reuse policy internal", prose.Plural(len(s.Added), "stream wait"))
	}
	for _, e := range s.Added {
		t.line("  %s", e.text("saves"))
	}
}

// text names an edge with its price.
func (e Edge) text(verb string) phrase {
	price := verb + " " + Bytes(e.Saved)
	if e.Saved == 0 {
		price = "is needed with the one above"
	}
	return phrase(fmt.Sprintf("%s waits for %s\t%s", short(e.ToName), short(e.FromName), price))
}

// order says what the missing order between streams costs a pool.
func (p *Pool) order(t *printer) {
	if p.Reuse == "" {
		return
	}
	t.line("  reuse\t%s", p.Reuse)
	if p.Apart > 0 {
		t.line("  kept apart\t%s of buffers, only because nothing puts one before the other; they could share", prose.Plural(p.Apart, "pair"))
	}
	for _, a := range p.ApartPairs {
		t.line("  \t%s and %s  %s", a.A, a.B, Bytes(a.Bytes))
	}
	if more := p.Apart - len(p.ApartPairs); more > 0 && len(p.ApartPairs) > 0 {
		t.line("  \tand %s", prose.Plural(more, "more pair"))
	}
	for _, e := range p.CouldNames {
		t.line("  an edge\t%s", e.text("would save"))
	}
}

// after names the steps of other streams that a step waits for.
func after(p *planner.Plan, s sequences.StepID) string {
	var names []string
	for _, a := range p.Steps[s].After {
		names = append(names, stepName(p, a))
	}
	return strings.Join(slices.Compact(names), ", ")
}
