package generate

import (
	"math"
	"math/bits"

	"github.com/seqplan/seqplan/internal/splitmix"
)

// stream separates what is drawn for one purpose from the others, so that equal
// seeds of two generators share no draws.
type stream uint64

// The streams. The numbers are part of what a seed means.
const (
	pinwheelStream stream = iota + 1
	guillotineStream
	tinyStream
	familyStream // and up, one for each family
)

// rng is a sequence of draws: the counter goes through the hash.
type rng struct{ key, count uint64 }

func newRNG(s stream, seed uint64) *rng {
	return &rng{key: splitmix.Hash(uint64(s), seed)}
}

func (r *rng) next() uint64 {
	r.count++
	return splitmix.Hash(r.key, r.count)
}

// below draws from [0, n), n > 0. Its bias is n / 2^64.
func (r *rng) below(n uint64) uint64 {
	hi, _ := bits.Mul64(r.next(), n)
	return hi
}

// between draws from [lo, hi], 0 <= lo <= hi < 2^62.
func (r *rng) between(lo, hi int) int {
	return lo + int(r.below(uint64(hi-lo+1)))
}

// coin is true once in n draws.
func (r *rng) coin(n uint64) bool { return r.below(n) == 0 }

// pareto draws from lo on with the exponent 4/3: the mean is 4 lo, the variance
// infinite. The root is exact to the last bit everywhere, as math.Pow is not,
// and without an addition no machine can fuse the products.
func (r *rng) pareto(lo, hi int) int {
	root := math.Sqrt(float64(1+r.next()>>11) / (1 << 53)) // of a draw from (0, 1]
	return int(min(float64(hi), float64(lo)/(root*math.Sqrt(root))))
}

// shuffle puts n things in a random order.
func (r *rng) shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, r.between(0, i))
	}
}

// root is the square root of n, rounded down, at least 1.
func root(n int) int { return max(1, int(math.Sqrt(float64(n)))) }
