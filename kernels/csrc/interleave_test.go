package csrc_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The checker runs threads that allocate from one arena in every possible order of
// their accesses to line 1, each of which is one step.

// line1 is what the threads share.
type line1 struct{ next, high, wanted, failed, failedBytes, code uint64 }

// worker is one thread, between two steps.
type worker struct {
	pc      int
	size    uint64 // rounded
	seen    uint64 // the cursor as read last
	taken   uint64 // what it got, if it has ended well
	group   int    // workers of one warp; 0 is none
	ok, end bool
	asked   bool // has added to the demand
}

const maxWorkers = 4

// world is a state of everything.
type world struct {
	line1
	capacity uint64
	n        int
	w        [maxWorkers]worker
}

// scheme does the next step of a worker.
type scheme func(s *world, w *worker)

func (s *world) fits(next, size uint64) bool { return size <= s.capacity && next <= s.capacity-size }

// The steps of seqplan_alloc.
const (
	loadCode = iota
	addWanted
	storeWanted
	loadNext
	casNext
	loadHigh
	maxHigh
	addFailed
	casCode
	storeFailed
	warp // the first of a warp moves the cursor for all
	warpCAS
	warpWait
)

// load, check, compare and swap, as seqplan_alloc does it.
func compareAndSwap(s *world, w *worker) {
	try := func(next uint64) {
		w.seen, w.pc = next, casNext
		if !s.fits(next, w.size) {
			w.pc = addFailed
		}
	}
	switch w.pc {
	case loadCode:
		w.pc = addWanted
		if s.code != 0 {
			w.pc = addFailed
		}
	case addWanted:
		w.asked = true
		w.pc = loadNext
		if s.wanted > math.MaxUint64-w.size {
			w.pc = storeWanted
		}
		s.wanted += w.size
	case storeWanted:
		s.wanted, w.pc = math.MaxUint64, loadNext
	case loadNext:
		try(s.next)
	case casNext:
		if s.next != w.seen {
			try(s.next)
			return
		}
		s.next += w.size
		w.taken, w.ok, w.pc = w.seen, true, loadHigh
	case loadHigh:
		w.pc = maxHigh
		w.end = s.high >= w.taken+w.size
	case maxHigh:
		s.high, w.end = max(s.high, w.taken+w.size), true
	case addFailed:
		s.failed++
		w.pc = casCode
		w.end = s.code != 0 && !w.asked // it came after a failure, which is on record
	case casCode:
		w.end = s.code != 0
		if s.code == 0 {
			s.code, w.pc = 1, storeFailed
		}
	case storeFailed:
		s.failedBytes, w.end = w.size, true
	}
}

// The same by warps: the first worker of a group takes the sum, if it fits.
func aggregated(s *world, w *worker) {
	group := func(f func(*worker)) {
		for i := range s.w[:s.n] {
			if s.w[i].group == w.group {
				f(&s.w[i])
			}
		}
	}
	sum := uint64(0)
	group(func(o *worker) { sum += o.size })
	try := func(next uint64) {
		w.seen, w.pc = next, warpCAS
		if !s.fits(next, sum) {
			group(func(o *worker) { o.pc = loadNext })
		}
	}
	switch w.pc {
	case warp:
		s.wanted += sum
		group(func(o *worker) { o.asked = true })
		try(s.next)
	case warpCAS:
		if s.next != w.seen {
			try(s.next)
			return
		}
		s.next += sum
		s.high = max(s.high, s.next)
		at := w.seen
		group(func(o *worker) { o.taken, o.ok, o.end, at = at, true, true, at+o.size })
	case warpWait: // for the first
	default:
		compareAndSwap(s, w)
	}
}

// Add, and undo by subtracting what did not fit.
func addAndUndo(s *world, w *worker) {
	if w.pc == loadCode {
		w.seen, w.pc = s.next, casNext
		s.next += w.size
		if s.fits(w.seen, w.size) {
			w.taken, w.ok, w.end = w.seen, true, true
		}
		return
	}
	s.next -= w.size
	w.end = true
}

// Add, and leave the cursor where it is.
func addOnly(s *world, w *worker) {
	at := s.next
	s.next += w.size
	w.taken, w.ok, w.end = at, s.fits(at, w.size), true
}

// Load and check, then add.
func checkAndAdd(s *world, w *worker) {
	if w.pc == loadCode {
		w.pc = casNext
		w.end = !s.fits(s.next, w.size)
		return
	}
	addOnly(s, w)
}

// outcome is what can be seen in the end.
type outcome struct {
	next, high, failed, failedBytes, code uint64
	taken                                 [maxWorkers]uint64
}

func (s *world) outcome() outcome {
	o := outcome{s.next, s.high, s.failed, s.failedBytes, s.code, [maxWorkers]uint64{}}
	for i, w := range s.w[:s.n] {
		o.taken[i] = math.MaxUint64
		if w.ok {
			o.taken[i] = w.taken
		}
	}
	return o
}

// explore returns all outcomes.
func explore(start world, do scheme) map[outcome]world {
	out, seen := make(map[outcome]world), map[world]bool{start: true}
	for todo := []world{start}; len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		ended := true
		for i := range s.n {
			if s.w[i].end {
				continue
			}
			ended = false
			next := s
			do(&next, &next.w[i])
			if !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
		if ended {
			out[s.outcome()] = s
		}
	}
	return out
}

// oneByOne returns the outcomes of all orders in which the workers may run one after
// another.
func oneByOne(start world, do scheme) map[outcome]world {
	out := make(map[outcome]world)
	var rest func(s world)
	rest = func(s world) {
		ended := true
		for i := range s.n {
			if s.w[i].end {
				continue
			}
			ended = false
			next := s
			for !next.w[i].end {
				do(&next, &next.w[i])
			}
			rest(next)
		}
		if ended {
			out[s.outcome()] = s
		}
	}
	rest(start)
	return out
}

// overlap reports whether two workers got the same memory, or one got what was in use
// before or lies outside.
func (s *world) overlap(cursor uint64) bool {
	for i, a := range s.w[:s.n] {
		if a.ok && (a.taken < cursor || !s.fits(a.taken, a.size)) {
			return true
		}
		for _, b := range s.w[:i] {
			if a.ok && b.ok && a.taken < b.taken+b.size && b.taken < a.taken+a.size {
				return true
			}
		}
	}
	return false
}

// small is an arena with some requests.
func small(cursor, capacity uint64, sizes ...uint64) world {
	s := world{line1: line1{next: cursor, high: cursor}, capacity: capacity, n: len(sizes)}
	for i, size := range sizes {
		s.w[i].size = size
	}
	return s
}

// worlds are the arenas that the schemes are tried on.
func worlds() []world {
	out := []world{
		small(6, 10, 8, 3, 1, 3), small(6, 10, 1<<63, 1<<63-4, 1), small(0, 10, 5, 5, 1), small(6, 10, 4, 4),
		small(0, math.MaxUint64-1, 1<<63, 1<<63, 1<<62), small(0, math.MaxUint64-1, math.MaxUint64, 1, 1),
		small(10, 10, 1, 0, 0), small(0, 10, 10, 1, 10, 1), small(2, 10, 3, 3, 3, 3),
	}
	for a := range uint64(5) {
		for b := range uint64(5) {
			out = append(out, small(6, 10, a, b, 3))
		}
	}
	return out
}

// TestCompareAndSwapIsRight: whatever the order of the steps, the outcome is that of
// running the calls one after another in some order. So nothing overlaps, and nothing
// is refused that would have been placed.
func TestCompareAndSwapIsRight(t *testing.T) {
	for _, start := range worlds() {
		want := oneByOne(start, compareAndSwap)
		for got, end := range explore(start, compareAndSwap) {
			require.Contains(t, want, got, "%+v", end)
			require.False(t, end.overlap(start.next), "%+v", end)
			wanted := uint64(0)
			for _, w := range end.w {
				if w.asked {
					wanted += min(w.size, math.MaxUint64-wanted)
				}
			}
			require.Equal(t, wanted, end.wanted, "%+v", end)
		}
	}
}

// TestWarpIsRight: the same, where two workers are of one warp and others are not.
func TestWarpIsRight(t *testing.T) {
	for _, start := range worlds() {
		want := oneByOne(start, compareAndSwap)
		for i := range 2 {
			start.w[i].group, start.w[i].pc = 1, warp+2*i // the second waits
		}
		if start.w[0].size+start.w[1].size < start.w[0].size {
			continue // the sum saturates: nothing is taken for all
		}
		for got, end := range explore(start, aggregated) {
			require.Contains(t, want, got, "%+v", end)
			require.False(t, end.overlap(start.next), "%+v", end)
		}
	}
}

// TestWrongSchemes: the checker finds what is wrong with the tempting schemes. A
// refusal is spurious if no order of the calls explains what all of them got.
func TestWrongSchemes(t *testing.T) {
	inOrder := func(s *world, w *worker) { // what the bump alone has to do
		if s.fits(s.next, w.size) {
			w.taken, w.ok = s.next, true
			s.next += w.size
		}
		w.end = true
	}
	swap := func(s *world, w *worker) {
		w.pc = max(w.pc, loadNext)
		if compareAndSwap(s, w); w.ok || w.pc == addFailed {
			w.end = true
		}
	}
	for _, test := range []struct {
		name              string
		do                scheme
		overlap, spurious bool
	}{
		{"compare and swap", swap, false, false},
		{"add and undo", addAndUndo, true, true},
		{"add only", addOnly, true, true},
		{"check and add", checkAndAdd, true, true},
	} {
		var overlap, spurious bool
		for _, start := range worlds() {
			want := make(map[[maxWorkers]uint64]bool)
			for o := range oneByOne(start, inOrder) {
				want[o.taken] = true
			}
			for o, end := range explore(start, test.do) {
				overlap = overlap || end.overlap(start.next)
				spurious = spurious || !want[o.taken]
			}
		}
		require.Equal(t, test.overlap, overlap, test.name)
		require.Equal(t, test.spurious, spurious, test.name)
	}
	// The case of the books: three small requests and a large one.
	start := small(6, 10, 8, 3, 1, 3)
	overlaps := func(do scheme) bool {
		return slices.ContainsFunc(values(explore(start, do)), func(s world) bool { return s.overlap(6) })
	}
	require.True(t, overlaps(addAndUndo))
	require.False(t, overlaps(addOnly))
	require.False(t, overlaps(checkAndAdd))
}

func values(m map[outcome]world) []world {
	var out []world
	for _, s := range m {
		out = append(out, s)
	}
	return out
}

// TestStepsOfTheSource: the steps of the model are the accesses of the source, in its
// order. Who changes one must look at the other.
func TestStepsOfTheSource(t *testing.T) {
	text, err := os.ReadFile("seqplan_alloc.h")
	require.NoError(t, err)
	var got []string
	for _, m := range regexp.MustCompile(`seqplan_atomic_(\w+)\(&line\[SEQPLAN_CONTROL_AT_(\w+)\]`).FindAllStringSubmatch(string(text), -1) {
		got = append(got, fmt.Sprintf("%s %s", m[1], m[2]))
	}
	require.Equal(t, []string{
		"add FAILED", "cas CODE", "store FIRST_FAILED", "store FAILED_BYTES", "add WANTED", "store WANTED",
		"load NEXT", "cas NEXT", "load HIGH", "max HIGH", "load CODE",
	}, got)
}
