package report

import (
	"fmt"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Bytes prints a number of bytes exactly and, from 1 KiB on, in the largest
// binary unit as well.
func Bytes(b sequences.Bytes) string {
	units := [...]string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	if b < 1024 {
		return fmt.Sprintf("%d B", uint64(b))
	}
	value, unit := float64(b)/1024, 0
	// 1023.95 would print as 1024.0.
	for value >= 1023.95 && unit < len(units)-1 {
		value /= 1024
		unit++
	}
	return fmt.Sprintf("%d B (%.1f %s)", uint64(b), value, units[unit])
}

// formula is the size of a buffer as its file says.
func formula(b *planner.Buffer) string {
	return fmt.Sprintf("%d B * (%s)", uint64(b.ElemSize), b.Count)
}
