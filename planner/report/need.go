package report

import (
	"fmt"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Need is what the device has to have in all by a basis, see planner.Basis.
type Need struct {
	Basis      planner.Basis    `json:"basis"`
	Bytes      *sequences.Bytes `json:"bytes"`       // of one worker; null where a count has no figure
	AllWorkers *sequences.Bytes `json:"all_workers"` // times the number of workers
}

// needs are those of a plan, the smallest first. A plan without dynamic buffers needs its
// static region by each basis, and that alone is named.
func needs(p *planner.Plan) (out []Need) {
	for _, basis := range planner.Bases() {
		if (p.Arena.Slots == 0) != (basis == planner.BasisStatic) {
			continue
		}
		n := Need{Basis: basis}
		if bytes, err := p.DeviceNeed(basis); err == nil {
			all := times(bytes, uint64(max(1, p.Workers)))
			n.Bytes, n.AllWorkers = &bytes, &all
		}
		out = append(out, n)
	}
	return out
}

// needText prints what the device has to have.
func (r *Report) needText(t *printer) {
	workers := ""
	if r.Workers > 1 {
		workers = fmt.Sprintf("\t%d workers", r.Workers)
	}
	t.section("Device memory in all")
	t.line("  what counts\tone worker%s", workers)
	for _, n := range r.Needs {
		all := ""
		if r.Workers > 1 {
			all = "\t" + needed(n.AllWorkers)
		}
		t.line("  %s\t%s%s\t%s", n.Basis, needed(n.Bytes), all, n.text())
	}
}

// text says what is counted.
func (n *Need) text() string {
	if n.Basis == planner.BasisStatic {
		return BasisText(n.Basis) + ": nothing is dynamic"
	}
	return BasisText(n.Basis)
}

func needed(b *sequences.Bytes) string {
	if b == nil {
		return "unknown"
	}
	return Bytes(*b)
}

func (r *Report) needMarkdown(line func(string, ...any)) {
	head, rule, all := "", "", func(Need) string { return "" }
	if r.Workers > 1 {
		head, rule, all = " all workers |", "--:|", func(n Need) string { return " " + needed(n.AllWorkers) + " |" }
	}
	line("\n| device memory in all | one worker |%s what counts |\n|---|--:|%s---|", head, rule)
	for _, n := range r.Needs {
		line("| %s | %s |%s %s |", n.Basis, needed(n.Bytes), all(n), n.text())
	}
}
