package skyline

// choice is how a pass chooses.
type choice struct {
	name     string
	critical bool
	weights  weights
	margin   uint64 // see pass.spare, in units of 1/1024 of the target
}

// weights of the terms of a priority, in units of 1/256. They make the logarithm
// of a product of powers: the larger, the earlier.
type weights [numTerms]int32

// choices are the passes of the portfolio. The letters are those of package pack:
// W width, A area, Z size, T the largest section total over the lifetime, P the
// sum of the section totals over it, L the length, which is W.
func choices() []choice {
	return []choice{
		{"skyline by P", false, weights{sum: 256}, 0},
		{"critical skyline by W", true, weights{width: 244, size: 12}, 20},
		{"critical skyline by P", true, weights{sum: 256}, 20},
		{"skyline by TWA", false, weights{largest: 220, width: 30, size: 6}, 0},
		{"critical skyline by WZ", true, weights{width: 205, size: 51}, 20},
		{"critical skyline by TW", true, weights{largest: 128, width: 110, size: 18}, 10},
		{"critical skyline by A", true, weights{width: 128, size: 128}, 20},
		{"critical skyline by W, no margin", true, weights{width: 230, size: 26}, 0},
		{"critical skyline by P, no margin", true, weights{sum: 256}, 0},
		{"skyline by Z", false, weights{size: 256}, 0},
		{"skyline by ZL", false, weights{size: 128, width: 128}, 0},
		{"skyline by WZ", false, weights{width: 230, size: 26}, 0},
		{"critical skyline by PZ", true, weights{sum: 220, size: 36}, 40},
		{"critical skyline by Z", true, weights{size: 256}, 20},
	}
}

// drawn is a critical choice by chance, of those that do well.
func drawn(r *rng) choice {
	all := [...]weights{
		{width: 244, size: 12},
		{sum: 256},
		{width: 205, size: 51},
		{largest: 128, width: 110, size: 18},
		{width: 128, size: 128},
		{width: 160, sum: 84, size: 12},
	}
	margins := [...]uint64{0, 5, 10, 20, 20, 30, 40}
	return choice{"critical skyline", true, all[r.below(len(all))], margins[r.below(len(margins))]}
}

// keys sets the keys of a priority.
func (s *shape) keys(out []uint32, w weights) {
	for i := range out {
		var k int64
		for t, v := range w {
			k += int64(v) * int64(s.logs[t][i])
		}
		out[i] = uint32(k>>8) + 1 // a key is not 0
	}
}

// shake adds noise to the keys: a draw that is about normal, with a deviation of
// that many 32nd parts of a factor of 2.
func (p *pass) shake(r *rng, parts int64) {
	if parts == 0 {
		return
	}
	for i, k := range p.pick.keys {
		const half = 1 << (logBits - 1)
		x := r.next()
		noise := -3 * int64(half)
		for range 3 { // three uniform draws have the deviation half a unit
			noise += int64(x & (1<<logBits - 1))
			x >>= logBits
		}
		p.pick.keys[i] = uint32(max(1, int64(k)+noise*parts/16))
	}
	p.pick.sum()
}
