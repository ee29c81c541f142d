package skyline

// weights of the terms of a priority, in units of 1/256.
type weights [numTerms]int32

// priority is the logarithm of a product of powers: the larger, the earlier.
type priority struct {
	name     string
	critical bool
	weights  weights
}

// The letters are those of package pack: W width, A area, Z size, T the largest
// section total over the lifetime, P the sum of the section totals over it.
func priorities() []priority {
	return []priority{
		{"skyline by P", false, weights{sum: 256}},
		{"critical skyline by W", true, weights{width: 244, size: 12}},
		{"critical skyline by P", true, weights{sum: 256}},
		{"skyline by TWA", false, weights{largest: 220, width: 30, size: 6}},
		{"critical skyline by WZ", true, weights{width: 205, size: 51}},
		{"skyline by Z", false, weights{size: 256}},
		{"skyline by ZL", false, weights{size: 128, width: 128}},
		{"skyline by WZ", false, weights{width: 230, size: 26}},
		{"critical skyline by PZ", true, weights{sum: 220, size: 36}},
		{"critical skyline by TW", true, weights{largest: 128, width: 110, size: 18}},
	}
}

// noiseRange is above every noise, so that no key is 0.
const noiseRange = 16 << logBits

// keys sets the keys of a priority. The noise may be nil.
func (s *shape) keys(out []uint32, w weights, noise []int32) {
	for i := range out {
		var k int64
		for t, v := range w {
			k += int64(v) * int64(s.logs[t][i])
		}
		out[i] = uint32(k>>8) + noiseRange
	}
	for i, v := range noise {
		out[i] += uint32(v) // of which one with a sign wraps back
	}
}
