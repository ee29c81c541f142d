package pack

// budget is how much each engine may spend on a problem.
type budget struct {
	skyline uint64 // about nanoseconds of a core
	search  uint64 // nodes times tiles
	pairs   uint64 // about nanoseconds of a core
	kernel  uint64 // nodes
}

// The parts of the budget for packings of a packing.
const (
	settleShare  = 20
	explainShare = 10
)

// budget returns one part of the budget of an effort.
func (e Engine) budget(part uint64) budget {
	tenths := uint64(10)
	switch e.Effort {
	case Quick:
		tenths = 1
	case Max:
		tenths = 300
	}
	return budget{
		skyline: 600_000_000 * tenths / part,
		search:  25_000_000 * tenths / part,
		pairs:   250_000_000 * tenths / part,
		kernel:  200_000 * tenths / part,
	}
}
