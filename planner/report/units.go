package report

import (
	"fmt"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Bytes prints a number of bytes exactly and, from 1 KiB on, in the largest
// binary unit as well.
func Bytes(b sequences.Bytes) string {
	if b < 1024 {
		return fmt.Sprintf("%d B", uint64(b))
	}
	value, unit := inUnit(b)
	return fmt.Sprintf("%d B (%.1f %s)", uint64(b), value, unit)
}

// brief is a number of bytes in its largest binary unit, for an axis.
func brief(b sequences.Bytes) string {
	value, unit := inUnit(b)
	if value == float64(uint64(value)) {
		return fmt.Sprintf("%.0f %s", value, unit)
	}
	return fmt.Sprintf("%.1f %s", value, unit)
}

// inUnit is a number of bytes in its largest binary unit.
func inUnit(b sequences.Bytes) (value float64, unit string) {
	units := [...]string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	value, n := float64(b), 0
	// 1023.95 would print as 1024.0.
	for n == 0 && value >= 1024 || n > 0 && value >= 1023.95 && n < len(units)-1 {
		value /= 1024
		n++
	}
	return value, units[n]
}

// formula is the size of a buffer as its file says.
func formula(b *planner.Buffer) string {
	return fmt.Sprintf("%d B * (%s)", uint64(b.ElemSize), b.Count)
}
