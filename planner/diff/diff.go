package diff

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Format is the version of the JSON form of a Diff.
const Format = 1

// Diff is what differs between two plans, the old one and the new one.
type Diff struct {
	Format  int    `json:"seqplan_diff"`
	Old     Plan   `json:"old"`
	New     Plan   `json:"new"`
	Verdict string `json:"verdict"` // in one line
	Empty   bool   `json:"empty"`   // nothing that is compared differs

	NeedChanged   bool `json:"need_changed"`   // Need differs
	LayoutChanged bool `json:"layout_changed"` // the hashes differ: what was generated from the old plan is stale

	Classes []Class `json:"classes"` // static device, static host, dynamic device, dynamic host
	Total   Total   `json:"total"`
	Pools   []Pool  `json:"pools"` // device, host
	Arena   Arena   `json:"arena"`
	Needs   []Need  `json:"needs"` // by each basis, of device and host memory
	Workers Figure  `json:"workers"`
	Streams Figure  `json:"streams"` // how many

	Buffers []Buffer `json:"buffers"` // that differ in more than their place: by Kind, then the largest change first
	Moved   int      `json:"moved"`   // how many buffers are at another offset, and differ in nothing else

	Params      []Param     `json:"params"`
	Counts      []Count     `json:"counts"`
	Steps       Steps       `json:"steps"`
	HostWaits   HostWaits   `json:"host_waits"`
	StreamWaits StreamWaits `json:"stream_waits"`

	verdict string // with marks
}

// Plan says which plan one side of the comparison is.
type Plan struct {
	Name   string       `json:"name"`
	Source string       `json:"source"` // base name of the sequence file
	Hash   planner.Hash `json:"hash"`
	Batch  string       `json:"batch,omitempty"` // name of the batch-size parameter
}

// comparison is two plans, and what of them is the same.
type comparison struct {
	old, new       *planner.Plan
	buffers, steps pairing
	renamed        map[string]string // buffers: their new name by the old one
	renamedTo      map[string]string // the same new names, by themselves
}

// New compares two plans.
func New(old, new *planner.Plan) *Diff {
	c := &comparison{
		old: old, new: new, renamed: map[string]string{}, renamedTo: map[string]string{},
		steps:   pairNames(names(old.Steps, stepOf), names(new.Steps, stepOf)),
		buffers: pairNames(names(old.Buffers, bufferOf), names(new.Buffers, bufferOf)),
	}
	c.pairRenamed()
	d := &Diff{
		Format: Format, Old: newPlan(old), New: newPlan(new),
		LayoutChanged: old.Hash != new.Hash,
		Arena:         c.arena(),
		Needs:         newNeeds(old, new),
		Workers:       numbers(uint64(old.Workers), uint64(new.Workers)),
		Streams:       numbers(uint64(max(1, len(old.Streams))), uint64(max(1, len(new.Streams)))),
		Params:        c.params(), Counts: c.counts(), Steps: c.stepChanges(),
		HostWaits: c.hostWaits(), StreamWaits: c.streamWaits(),
	}
	d.Classes, d.Total = c.classes()
	for scope := range min(len(old.Pools), len(new.Pools)) {
		d.Pools = append(d.Pools, newPool(&old.Pools[scope], &new.Pools[scope]))
	}
	d.Buffers, d.Moved = c.bufferChanges()
	d.NeedChanged = d.needChanged()
	d.Empty = d.empty()
	d.verdict = d.judge()
	d.Verdict = strip(d.verdict)
	return d
}

func newPlan(p *planner.Plan) Plan {
	return Plan{Name: p.Name, Source: p.Source, Hash: p.Hash, Batch: p.Batch}
}

func stepOf(s *planner.Step) string { return s.Name }

func bufferOf(b *planner.Buffer) string { return b.Name }

// empty tells whether nothing differs, but for the names of the sources.
func (d *Diff) empty() bool {
	if d.NeedChanged || d.LayoutChanged || d.Old.Name != d.New.Name || d.Old.Batch != d.New.Batch ||
		d.Total.changed() || d.Arena.changed() || d.Streams.Changed() ||
		len(d.Buffers)+d.Moved+len(d.Params)+len(d.Counts) > 0 ||
		d.Steps.changed() || d.HostWaits.changed() || d.StreamWaits.changed() {
		return false
	}
	for _, c := range d.Classes {
		if c.changed() {
			return false
		}
	}
	for i := range d.Pools {
		if d.Pools[i].changed() {
			return false
		}
	}
	return true
}

// JSON writes the comparison as indented JSON, with every list whole.
func (d *Diff) JSON(w io.Writer) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(d); err != nil {
		return err
	}
	_, err := w.Write(out.Bytes())
	return err
}

// Locate adds where the named buffers stand, "file:line", from the sequences that the
// plans were made from. Either may be nil: then there is no position for its buffers.
func (d *Diff) Locate(old, new *sequences.Sequence) {
	from, to := places(old), places(new)
	for i := range d.Buffers {
		b := &d.Buffers[i]
		b.Old.locate(from)
		b.New.locate(to)
	}
}

// locate adds where a buffer stands; s may be nil.
func (s *State) locate(at map[string]sequences.Pos) {
	if s == nil {
		return
	}
	s.pos, s.At = at[s.Name], ""
	if s.pos != (sequences.Pos{}) {
		s.At = sequences.Pos{File: s.pos.File, Line: s.pos.Line}.String()
	}
}

func places(seq *sequences.Sequence) map[string]sequences.Pos {
	out := map[string]sequences.Pos{}
	if seq == nil {
		return out
	}
	for i := range seq.Buffers {
		out[seq.Buffers[i].Name] = seq.Buffers[i].Pos
	}
	return out
}
