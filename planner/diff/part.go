package diff

import (
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Part is a part of the memory of one worker.
type Part string

// The parts.
const (
	DevicePool  Part = "device pool"
	HostPool    Part = "host pool"
	TypicalSum  Part = "typical arena"
	TypicalPeak Part = "typical arena, live at once"
	TypicalHost Part = "typical dynamic host memory"
	WorstSum    Part = "worst-case arena"
	WorstPeak   Part = "worst-case arena, live at once"
	WorstHost   Part = "worst-case dynamic host memory"
)

// class returns the buffers that a part holds.
func (p Part) class() (planner.Class, sequences.Scope) {
	switch p {
	case DevicePool:
		return planner.Static, sequences.Device
	case HostPool:
		return planner.Static, sequences.Host
	case TypicalHost, WorstHost:
		return planner.Dynamic, sequences.Host
	}
	return planner.Dynamic, sequences.Device
}

// worst tells whether a part counts the largest sizes of dynamic buffers.
func (p Part) worst() bool { return slices.Contains([]Part{WorstSum, WorstPeak, WorstHost}, p) }

type part struct {
	part   Part
	figure Figure
}

func (d *Diff) pools() []part {
	var out []part
	for i := range d.Pools {
		name := DevicePool
		if d.Pools[i].Scope == sequences.Host {
			name = HostPool
		}
		out = append(out, part{name, d.Pools[i].Size})
	}
	return out
}

func (d *Diff) typical() []part {
	a := &d.Arena.Typical
	return []part{{TypicalSum, a.Sum}, {TypicalPeak, a.Peak}, {TypicalHost, a.HostSum}}
}

func (d *Diff) worst() []part {
	a := &d.Arena.Worst
	return []part{{WorstSum, a.Sum}, {WorstPeak, a.Peak}, {WorstHost, a.HostSum}}
}

// parts are what a need is made of that the basis counts: the static region, and the dynamic
// buffers.
func (d *Diff) parts(n Need) []part {
	out := d.pools()[n.Scope : n.Scope+1]
	dynamic := d.typical()
	if n.Basis == planner.BasisWorst {
		dynamic = d.worst()
	}
	switch {
	case n.Basis == planner.BasisStatic:
		return out
	case n.Scope == sequences.Host:
		return append(out, dynamic[2])
	case n.Basis == planner.BasisPeak:
		return append(out, dynamic[1])
	}
	return append(out, dynamic[0])
}
