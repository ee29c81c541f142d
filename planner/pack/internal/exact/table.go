package exact

import "github.com/seqplan/seqplan/internal/splitmix"

// key identifies what is left to do at a node: the unplaced tiles with their
// lowest offsets, below a capacity. Two different ones have the same key with a
// probability of 2^-128.
type key struct{ a, b uint64 }

func newKey(capacity uint64) key {
	return key{splitmix.Mix(capacity), splitmix.Mix(^capacity)}
}

// mix adds a tile. The order does not matter.
func (k *key) mix(i int32, low uint64, rests bool) {
	h := low*0x9e3779b97f4a7c15 + uint64(i)<<1
	if rests {
		h++
	}
	h = splitmix.Mix(h)
	k.a += h
	k.b += splitmix.Mix(h)
}

// table remembers nodes that were refuted. A newer one overwrites an older one.
type table []entry

type entry struct {
	key
	search uint64 // number of the search that refuted it
}

const tableBits = 16

func newTable() table { return make(table, 1<<tableBits) }

// has looks for what the same search has refuted. What others have left does not
// count: a search must not depend on those before it.
func (t table) has(k key, search uint64) bool {
	return t[k.a>>(64-tableBits)] == entry{k, search}
}

func (t table) add(k key, search uint64) { t[k.a>>(64-tableBits)] = entry{k, search} }
