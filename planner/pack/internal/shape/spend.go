package shape

// Spend is asked for work before it is done: it counts pieces, pairs of pieces that
// share a step, and parts of sections. It returns false if that is too much. Nil
// never does.
type Spend func(units int) bool

func (s Spend) affords(units int) bool { return s == nil || s(units) }
