package diag

import (
	"maps"
	"slices"
)

// Titles says in a few words what each code of a package means.
type Titles map[Code]string

// Codes returns the codes in order.
func (t Titles) Codes() []Code { return slices.Sorted(maps.Keys(t)) }
