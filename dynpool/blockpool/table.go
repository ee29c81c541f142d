package blockpool

import "math/bits"

// table finds the pieces of blocks by id: a hash table with open addressing, of which
// at most half is in use. It is twice as fast as a map, which was a third of the time
// of a pool.
type table struct {
	slots []slot // their number is a power of two
	shift int    // of the hash
	count int
}

type slot struct {
	id ID // 0: empty
	e  *piece
}

const smallestTable = 64 // slots

// home is the slot that an id would have in an empty table: consecutive ids are spread
// evenly.
func (t *table) home(id ID) int {
	const golden = 0x9E3779B97F4A7C15 // 2^64 divided by the golden ratio, made odd
	return int(uint64(id) * golden >> t.shift)
}

// get returns the piece of a block, nil if there is none.
func (t *table) get(id ID) *piece {
	if i := t.find(id); i >= 0 {
		return t.slots[i].e
	}
	return nil
}

// find returns the slot of an id, -1 if it has none.
func (t *table) find(id ID) int {
	if t.count == 0 {
		return -1
	}
	for i := t.home(id); t.slots[i].id != 0; i = (i + 1) & (len(t.slots) - 1) {
		if t.slots[i].id == id {
			return i
		}
	}
	return -1
}

// put adds an id that the table does not have.
func (t *table) put(id ID, e *piece) {
	if 2*t.count >= len(t.slots) {
		t.grow()
	}
	t.count++
	t.place(slot{id, e})
}

func (t *table) place(s slot) {
	i := t.home(s.id)
	for t.slots[i].id != 0 {
		i = (i + 1) & (len(t.slots) - 1)
	}
	t.slots[i] = s
}

func (t *table) grow() {
	old := t.slots
	t.slots = make([]slot, max(2*len(old), smallestTable))
	t.shift = 64 - bits.TrailingZeros(uint(len(t.slots)))
	for _, s := range old {
		if s.id != 0 {
			t.place(s)
		}
	}
}

// remove takes an id out that the table has. What follows moves up, as far as its home
// allows: no search ends too early.
func (t *table) remove(id ID) {
	mask := len(t.slots) - 1
	hole := t.find(id)
	t.count--
	for i := (hole + 1) & mask; t.slots[i].id != 0; i = (i + 1) & mask {
		if home := t.home(t.slots[i].id); (i-home)&mask >= (i-hole)&mask {
			t.slots[hole] = t.slots[i]
			hole = i
		}
	}
	t.slots[hole] = slot{}
}
