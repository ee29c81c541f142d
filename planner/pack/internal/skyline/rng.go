package skyline

import "github.com/seqplan/seqplan/internal/splitmix"

// rng is a sequence of draws.
type rng struct{ key, count uint64 }

func (r *rng) next() uint64 {
	r.count++
	return splitmix.Hash(r.key, r.count)
}

// below draws from [0, n).
func (r *rng) below(n int) int { return int(r.next() >> 33 % uint64(n)) }
