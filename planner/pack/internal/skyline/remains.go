package skyline

import "slices"

// remains are the units that are left to place in each section. Blocks of
// sections are summed up by their largest value.
type remains struct {
	values []uint64 // without what has been taken from whole blocks
	blocks []uint64 // the largest value of a block
	taken  []uint64 // from all of a block
}

const (
	blockBits = 6
	block     = 1 << blockBits
)

func newRemains(totals []uint64) *remains {
	b := (len(totals) + block - 1) >> blockBits
	r := &remains{values: slices.Clone(totals), blocks: make([]uint64, b), taken: make([]uint64, b)}
	for b := range r.blocks {
		r.sum(b)
	}
	return r
}

func (r *remains) sum(b int) {
	var m uint64
	for _, v := range r.values[b<<blockBits : min(len(r.values), (b+1)<<blockBits)] {
		m = max(m, v)
	}
	r.blocks[b] = m - r.taken[b]
}

func (r *remains) at(s int32) uint64 { return r.values[s] - r.taken[s>>blockBits] }

// take lowers [first, end) by v.
func (r *remains) take(first, end int32, v uint64) {
	f, e := int(first), int(end)
	fb, eb := f>>blockBits, (e-1)>>blockBits
	if fb == eb {
		r.part(f, e, v)
		return
	}
	if f&(block-1) != 0 {
		r.part(f, (fb+1)<<blockBits, v)
		fb++
	}
	if e&(block-1) != 0 {
		r.part(eb<<blockBits, e, v)
		eb--
	}
	for b := fb; b <= eb; b++ {
		r.blocks[b] -= v
		r.taken[b] += v
	}
}

func (r *remains) part(f, e int, v uint64) {
	vs := r.values[f:e]
	for i := range vs {
		vs[i] -= v
	}
	r.sum(f >> blockBits)
}

// largest returns the first section of [first, end) with the largest value.
func (r *remains) largest(first, end int32) (int32, uint64) {
	f, e := int(first), int(end)
	at, most := f, r.at(first)
	for f < e {
		b := f >> blockBits
		to := min(e, (b+1)<<blockBits)
		if to-f < block || r.blocks[b] > most {
			for i, v := range r.values[f:to] {
				if v -= r.taken[b]; v > most {
					at, most = f+i, v
				}
			}
		}
		f = to
	}
	return int32(at), most
}
