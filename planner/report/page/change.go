package page

import (
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/planner/diff"
)

// change is a buffer that changed. Buffer is its index, -1 if it is gone.
type change struct {
	figure
	Name   text   `json:"name"`
	Buffer int    `json:"buffer"`
	Kind   string `json:"kind"`
	What   text   `json:"text"` // in words
	At     text   `json:"at,omitempty"`
}

func newChange(b *diff.Buffer, index index) change {
	out := change{Name: text(b.Name), Buffer: -1, Kind: strings.ReplaceAll(string(b.Kind), "_", " "), What: text(words(b))}
	out.Change = known(b.Change)
	if b.Old != nil {
		out.Old, out.At = optional(&b.Old.Bytes), text(b.Old.At)
	}
	if b.New != nil {
		out.New, out.At, out.Buffer = optional(&b.New.Bytes), text(b.New.At), index.find(b.Name)
	}
	return out
}

// words say what happened to a buffer, more than its sizes.
func words(b *diff.Buffer) string {
	switch b.Kind {
	case diff.Appeared:
		return formula(b.New)
	case diff.Disappeared:
		return "was " + formula(b.Old)
	case diff.MovedClass:
		return fmt.Sprintf("from %s to %s: %s", b.Old.Class, b.New.Class, formula(b.New))
	case diff.MovedScope:
		return fmt.Sprintf("from %s to %s memory", b.Old.Scope, b.New.Scope)
	case diff.Renamed:
		return "was " + b.Old.Name
	}
	now := formula(b.New)
	if old := formula(b.Old); old != now {
		return fmt.Sprintf("%s, was %s", now, old)
	}
	var fields []string
	for _, f := range b.What {
		if f != diff.FieldBytes && f != diff.FieldWorst {
			fields = append(fields, strings.ReplaceAll(string(f), "_", " "))
		}
	}
	if len(fields) == 0 {
		return now
	}
	return fmt.Sprintf("%s, differs in %s", now, strings.Join(fields, ", "))
}

func formula(s *diff.State) string {
	return fmt.Sprintf("%d B * (%s)", uint64(s.ElemSize), oneLine(s.Count))
}
