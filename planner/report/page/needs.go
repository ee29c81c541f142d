package page

import (
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
)

// need is what one worker needs of the device by a basis, at the largest values of the
// parameters. Bytes is null if it is not known, and Unknown says why.
type need struct {
	Basis   string  `json:"basis"`
	Text    string  `json:"text"`
	Bytes   *number `json:"bytes"`
	Unknown text    `json:"unknown,omitempty"`
}

// newNeeds are those of a plan, the smallest first. Where nothing is dynamic all bases need the
// static region, and that alone is named.
func newNeeds(plan *planner.Plan) []need {
	var out []need
	for _, basis := range planner.Bases() {
		if plan.Arena.Slots == 0 && basis != planner.BasisStatic {
			continue
		}
		n := need{Basis: basis.String(), Text: report.BasisText(basis)}
		if bytes, err := plan.DeviceNeed(basis); err != nil {
			n.Unknown = text(err.Error())
		} else {
			n.Bytes = optional(&bytes)
		}
		out = append(out, n)
	}
	return out
}

// fit is how large a batch fits the capacity.
type fit struct {
	Param    text   `json:"param"`
	Capacity number `json:"capacity"`
	Basis    string `json:"basis"`
	Fits     bool   `json:"fits"`
	Value    number `json:"value"`
	Need     number `json:"need"`
	Limited  bool   `json:"limited"`
	Next     number `json:"next"`
	Workers  number `json:"workers"`
}

func newFit(f *planner.FitResult) *fit {
	if f == nil {
		return nil
	}
	return &fit{
		text(f.Param), num(f.Capacity), f.Basis.String(), f.Fits, num(f.Value), num(f.Need), f.Limited, num(f.Next), num(f.Workers),
	}
}
