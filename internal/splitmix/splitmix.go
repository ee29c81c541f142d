// Package splitmix is a hash of integers for draws that must be the same on every
// machine and in every version of Go.
package splitmix

// Mix is the output function of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) on the
// state that follows x.
func Mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// Hash mixes several integers to one; their order matters.
func Hash(values ...uint64) uint64 {
	h := uint64(0)
	for _, v := range values {
		h = Mix(h ^ v)
	}
	return h
}
