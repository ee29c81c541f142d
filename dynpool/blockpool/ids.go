package blockpool

import "sync/atomic"

// lastID is the last id that some pool of this process has taken. It is the one
// thing that pools share: an id is unique in the process only if all take it from
// one place.
var lastID atomic.Int64

const (
	firstRun   = 1 << 10 // ids
	longestRun = 1 << 40
)

// idRun is the ids [first, end).
type idRun struct{ first, end ID }

// ids gives ids to the blocks of one pool, each once, and remembers which it gave.
// It takes them in runs that double in length, so that few runs tell all: 31 for
// the first 2^40 ids, and one more for each further 2^40.
type ids struct {
	next ID
	runs []idRun // next lies in the last one, or at its end
}

func (s *ids) give() ID {
	if n := len(s.runs); n == 0 || s.next == s.runs[n-1].end {
		s.more()
	}
	s.next++
	return s.next - 1
}

// more takes a run. 2^63 ids cannot run out.
func (s *ids) more() {
	size := int64(longestRun)
	if n := len(s.runs); firstRun<<n < longestRun {
		size = firstRun << n
	}
	end := ID(lastID.Add(size)) + 1
	s.next = end - ID(size)
	s.runs = append(s.runs, idRun{s.next, end})
}

// gave reports whether the pool has given an id.
func (s *ids) gave(id ID) bool {
	for _, r := range s.runs {
		if id >= r.first && id < min(r.end, s.next) { // later runs have higher ids
			return true
		}
	}
	return false
}
