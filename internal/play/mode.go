package play

import (
	"fmt"

	"github.com/seqplan/seqplan/planner"
)

// Mode says how the arena is used.
type Mode uint8

// The modes.
const (
	Planned Mode = iota // the one that the plan has chosen
	Bump
	Reuse
)

var modeNames = [...]string{Planned: "plan", Bump: "bump", Reuse: "reuse"}

// String returns the word for the mode.
func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return "unknown"
}

// MarshalText writes the word for the mode.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the word for a mode.
func (m *Mode) UnmarshalText(text []byte) error {
	for i, name := range modeNames {
		if name == string(text) {
			*m = Mode(i)
			return nil
		}
	}
	return fmt.Errorf("%q is no arena mode: want plan, bump or reuse", text)
}

// resolve returns which of Bump and Reuse it is for a plan.
func (m Mode) resolve(plan *planner.Plan) Mode {
	switch {
	case m != Planned:
		return m
	case plan.Layout.Reuse:
		return Reuse
	}
	return Bump
}
